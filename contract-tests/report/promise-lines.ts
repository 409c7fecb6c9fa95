import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Pair } from 'yaml';
import type { CheckReport } from './report.ts';

/** The line of openapi.yaml that makes the promise a check is about. */
export type LineOf = (check: CheckReport) => number | undefined;

/** Reads the contract that this package ships. An annotation without its line is better than none. */
export const promiseLines = async (): Promise<LineOf> => {
  try {
    const file = createRequire(import.meta.url).resolve('email-leads/openapi.yaml');
    return await linesIn(readFileSync(file, 'utf8'));
  } catch {
    return () => undefined;
  }
};

type Place = { readonly line: number; readonly fields: ReadonlyMap<string, number> };

/** Where a contract promises what. Loads the YAML parser, so it is called only where somebody asks for lines. */
export const linesIn = async (yaml: string): Promise<LineOf> => {
  const contract = await readContract(yaml);
  const operations = operationsIn(contract);
  const sections = sectionsIn(contract);
  return (check) => {
    // What holds for every operation, and the key (§5), is promised in one place for all of them.
    if (check.operation === 'every' || check.section === '5') return sections.get(check.section);
    const operation = operations.get(check.operation);
    const field = namesIn(check).find((name) => operation?.fields.has(name));
    return field === undefined ? operation?.line : operation?.fields.get(field);
  };
};

/** Names a field may have that a check is about: from the place in the reply, else from the id, `leads.update.echoes-note`. */
const namesIn = ({ id, finding }: CheckReport): string[] => {
  const claim = id.split('.').at(-1) ?? '';
  const place = (finding?.pointer ?? '').split('/').reverse();
  return [...place, claim.replaceAll('-', '_'), ...claim.split('-')];
};

type Entry = { readonly name: string; readonly value: unknown; readonly line: number };

type Contract = {
  readonly root: unknown;
  /** Names and values of a map, each with its line. */
  readonly entries: (node: unknown) => Entry[];
  /** What is at a path below a node, a `$ref` followed. */
  readonly at: (node: unknown, ...path: string[]) => unknown;
};

const readContract = async (yaml: string): Promise<Contract> => {
  const { isMap, isScalar, LineCounter, parseDocument } = await import('yaml');
  const counter = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: counter });
  const entry = ({ key, value }: Pair): Entry[] =>
    isScalar(key) && key.range
      ? [{ name: String(key.value), value, line: counter.linePos(key.range[0]).line }]
      : [];
  return {
    root: document.contents,
    entries: (node) => (isMap(node) ? node.items.flatMap(entry) : []),
    at: (node, ...path) => {
      const found = isMap(node) && path.length > 0 ? node.getIn(path, true) : node;
      const ref = isMap(found) ? found.get('$ref') : undefined;
      return typeof ref === 'string' ? document.getIn(ref.slice(2).split('/'), true) : found;
    },
  };
};

const operationsIn = (contract: Contract): Map<string, Place> => {
  const { root, entries, at } = contract;
  const methods = entries(at(root, 'paths')).flatMap(({ value }) => entries(value));
  return new Map(
    methods.flatMap(({ value }) => {
      const named = entries(value).find(({ name }) => name === 'operationId');
      const schema = at(value, 'responses', '200', 'content', 'application/json', 'schema');
      const place = { line: named?.line ?? 0, fields: new Map(fieldsIn(contract, schema)) };
      return named ? [[String(named.value), place] as const] : [];
    }),
  );
};

/** Every field of a reply, also those of `data` and of its items; no name means two of them. */
const fieldsIn = (contract: Contract, schema: unknown): (readonly [string, number])[] => {
  const named = contract.entries(contract.at(schema, 'properties'));
  const items = contract.at(schema, 'items');
  return [
    ...named.map(({ name, line }) => [name, line] as const),
    ...named.flatMap(({ value }) => fieldsIn(contract, contract.at(value))),
    ...(items === schema || items === undefined ? [] : fieldsIn(contract, items)),
  ];
};

/** The first place that cites each section. */
const sectionsIn = ({ root, entries }: Contract): Map<string, number> => {
  const sections = new Map<string, number>();
  const visit = ({ value, line }: Entry): void => {
    const inside = entries(value);
    const cited = inside.find(({ name }) => name === 'x-section');
    if (cited && !sections.has(String(cited.value))) sections.set(String(cited.value), line);
    inside.forEach(visit);
  };
  entries(root).forEach(visit);
  return sections;
};
