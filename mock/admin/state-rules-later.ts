/** Loaded when first needed: most mocks are never given a state or a fault, and all of them are to start fast. */
export const stateRules = (): Promise<typeof import('../state-rules.ts')> => import('../state-rules.ts');
