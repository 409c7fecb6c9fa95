export type { BrokenDeployment } from './broken/breaking.ts';
export { broken } from './broken.ts';
export { type ConformingDeployment, conforming } from './conforming.ts';
export type { Deployment, RunningDeployment } from './deployment.ts';
