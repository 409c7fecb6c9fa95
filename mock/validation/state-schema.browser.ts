// In place of `state-schema.ts` in the builds for browsers: the schema itself is a tenth of the code made of it.
import { createCompiler } from './compiler.browser.ts';
import state from './seed.schema.json' with { type: 'json' };

const compile = createCompiler();

export const validators = {
  state: compile(state),
  faultRules: compile({
    type: 'array',
    maxItems: 1000,
    items: { $ref: '#/$defs/FaultRule' },
    $defs: state.$defs,
  }),
};
