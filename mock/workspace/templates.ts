import { placeholdersOf, type Template } from '../mail/template.ts';
import { type Account, limits, StorageFull, textBytes } from '../runtime/limits.ts';
import { mapInSteps } from '../runtime/timers.ts';
import { createIdNumbers, numberOfId } from './ids.ts';

/** The templates of one workspace, in the order in which they were added. */
type TemplateStore = {
  readonly byId: ReadonlyMap<string, Template>;
  /** Changes with every change of the templates, for caches. */
  readonly version: () => number;
  /** Adds a template, or replaces the one with its id. @throws StorageFull with nothing changed */
  readonly put: (template: Template) => void;
  readonly remove: (id: string) => boolean;
  /** Replaces all items. */
  readonly load: (templates: readonly Template[], lastNumber: number) => void;
  /** An id that no template has or has had. */
  readonly nextId: () => string;
  readonly lastNumber: () => number;
};

/** A template as people write it; all other fields have defaults. */
export type TemplateInput = Pick<Template, 'name' | 'body'> & Partial<Template>;

const overhead = 300;

/** Bytes of memory that a template takes: once itself, and once in the cached JSON of the list. */
export const templateBytes = ({ id, name, body, variables = [] }: TemplateInput): number => {
  let sum = overhead + 2 * (textBytes(id) + textBytes(name) + textBytes(body));
  for (const variable of variables) sum += 32 + 2 * textBytes(variable);
  return sum;
};

export const createTemplateStore = (account: Account): TemplateStore => {
  const byId = new Map<string, Template>();
  let version = 0;
  const numbers = createIdNumbers();
  let held = 0;
  const adjustHeld = (difference: number): void => {
    held += difference;
    account.charge(difference);
  };
  return {
    byId,
    version: () => version,
    put: (template) => {
      const previous = byId.get(template.id);
      const difference = templateBytes(template) - (previous ? templateBytes(previous) : 0);
      if (difference > 0 && held + difference > limits.templatesBytes)
        throw new StorageFull('templates', limits.templatesBytes);
      version += 1;
      // The id of a deleted template is not used again, because sent messages refer to it.
      numbers.use(numberOfId(template.id));
      byId.set(template.id, template);
      adjustHeld(difference);
      account.settle();
    },
    remove: (id) => {
      const template = byId.get(id);
      if (!template) return false;
      version += 1;
      adjustHeld(-templateBytes(template));
      return byId.delete(id);
    },
    load: (templates, lastNumber) => {
      version += 1;
      adjustHeld(-held);
      byId.clear();
      for (const template of templates) {
        byId.set(template.id, template);
        adjustHeld(templateBytes(template));
      }
      numbers.restart(lastNumber);
    },
    nextId: () => String(numbers.next()),
    lastNumber: numbers.last,
  };
};

/**
 * Fills in the omitted fields of templates. Free numbers between given ids are used too, so that the first template in a file
 * gets number 1.
 */
export function* completeTemplatesInSteps(
  templates: readonly TemplateInput[],
  now: string,
  lastCounted = 0,
): Generator<undefined, Template[]> {
  const usedIds = new Set(templates.map(({ id }) => id));
  let last = lastCounted;
  const next = (): string => {
    do last += 1;
    while (usedIds.has(String(last)));
    return String(last);
  };
  return yield* mapInSteps(templates, ({ id = next(), name, body, created_at = now }) => ({
    id,
    name,
    body,
    variables: placeholdersOf(body),
    created_at,
  }));
}

/** The default templates of every workspace: those of a small course business. */
export const seedTemplates: readonly Template[] = [
  {
    id: '1',
    name: 'Course welcome',
    body:
      '<p>Hello {{first_name}},</p><p>welcome to <b>{{course_name}}</b>. We start on {{start_date}}; ' +
      'the link to the classroom comes the day before.</p><p>See you soon!</p>',
    variables: ['first_name', 'course_name', 'start_date'],
    created_at: '2026-01-12T09:30:00.000Z',
  },
  {
    id: '2',
    name: 'Payment reminder',
    body:
      '<p>Dear {{full_name}},</p><p>invoice {{invoice_number}} over {{amount}} was due on {{due_date}}. ' +
      'If you have paid in the meantime, please ignore this email.</p>',
    variables: ['full_name', 'invoice_number', 'amount', 'due_date'],
    created_at: '2026-01-12T09:45:00.000Z',
  },
  {
    id: '3',
    name: 'Trial lesson follow-up',
    // Repeats a variable: every placeholder is filled, and `variables` lists it once.
    body:
      '<p>Hi {{first_name}},</p><p>how did you like the trial lesson of {{course_name}}? ' +
      'Seats in {{course_name}} are kept for you until {{reserved_until}}.</p>',
    variables: ['first_name', 'course_name', 'reserved_until'],
    created_at: '2026-02-03T14:05:00.000Z',
  },
  {
    id: '4',
    name: 'Certificate of completion',
    body: '<p>Congratulations, {{full_name}}!</p><p>You completed {{course_name}}: {{certificate_url}}</p>',
    variables: ['full_name', 'course_name', 'certificate_url'],
    created_at: '2026-02-20T08:00:00.000Z',
  },
  {
    id: '5',
    name: 'Summer break',
    body: '<p>Our office is closed from 1 to 15 August. Courses that are running go on as planned.</p>',
    variables: [],
    created_at: '2026-03-01T16:20:00.000Z',
  },
];
