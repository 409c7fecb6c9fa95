/** Something wrong with a flag, or with a file it names: never with the deployment. */
export class ConfigurationError extends Error {}
