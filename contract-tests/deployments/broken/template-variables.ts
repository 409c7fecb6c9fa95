import type { Fields } from '../exchange.ts';
import { breaking, derived, documented } from './breaking.ts';
import { inLastTemplate, inTemplates, withValue } from './faults.ts';

const variables = breaking('template-variables');

const names = (template: Fields) => template.variables as string[];
const many = 'hundreds-of-templates';

/** §2.2: `variables` names the placeholders used in `body`; that it names nothing else is derived. */
export const templateVariables = [
  variables(
    'variables-lack-first',
    'The first placeholder is not in variables',
    'plain',
    documented('2.2'),
    inTemplates((one) => ({ ...one, variables: names(one).slice(1) })),
  ),
  variables(
    'variables-lack-one-in-last',
    'The last of 300 templates lacks a variable',
    many,
    documented('2.2'),
    inLastTemplate((one) => ({ ...one, variables: names(one).slice(0, -1) })),
  ),
  variables(
    'variables-empty',
    'Variables are always empty',
    'refusals-at-200',
    documented('2.2'),
    inTemplates(withValue('variables', [])),
  ),
  variables(
    'variables-in-braces',
    'Variables have their braces on',
    'bodies-422',
    documented('2.2'),
    inTemplates((one) => ({ ...one, variables: names(one).map((name) => `{{${name}}}`) })),
  ),
  variables(
    'variables-in-capitals',
    'Variables begin with a capital',
    'integer-ids',
    documented('2.2'),
    inTemplates((one) => ({
      ...one,
      variables: names(one).map((name) => name.replace(/^./, (c) => c.toUpperCase())),
    })),
  ),
  variables(
    'variables-one-more',
    'Variables name one that is not in the body',
    'plain',
    derived('2.2'),
    inTemplates((one) => ({ ...one, variables: [...names(one), 'unsubscribe_link'] })),
  ),
  variables(
    'variables-one-more-in-last',
    'The last of 300 names a variable too many',
    many,
    derived('2.2'),
    inLastTemplate((one) => ({ ...one, variables: [...names(one), 'unsubscribe_link'] })),
  ),
];
