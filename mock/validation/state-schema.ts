// Validators of states and fault rules. The builds for browsers have `state-schema.browser.ts` in place of this file.
export { validators } from '../generated/state-validators.js';
