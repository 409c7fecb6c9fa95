// Validators of states and fault rules. The builds for browsers use `state-schema.browser.ts` instead of this file.
export { validators } from '../generated/state-validators.js';
