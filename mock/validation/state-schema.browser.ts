// Replaces `state-schema.ts` in the builds for browsers: the schema is a tenth of the size of the compiled validators.
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
