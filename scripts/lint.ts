// `npm run lint`, after Biome: a check for slow regular expressions, and Redocly's recommended rules for openapi.yaml and for the
// document of the admin API. Every finding fails, including warnings.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';
import { adminDocument } from '../mock/admin/openapi.ts';

// Regular expressions with super-linear running time: a long text could block the process.
const parsed = 'reads only what JSON.parse has accepted, where every string ends';
const masked = 'reads 2,000 characters at most';
const page = 'reads 4,000 characters at most';

/** Why an expression is permitted that was found. */
const exceptions: Readonly<Record<string, string>> = {
  '/\\{[^}]+\\}/g': 'reads paths of openapi.yaml only',
  '/\\/+$/': 'reads an address from the user of the command line',
  '/\\s*\\n\\s*/g': 'reads the command line',
  // Of the suite.
  '/<title[^>]*>([^<]*)/i': page,
  '/<(script|style)\\b[\\s\\S]*?(<\\/\\1>|$)/gi': page,
  '/"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"(\\s*:)?|[{}[\\]]/g': parsed,
  '/\\b(?:[a-z0-9-]+\\.)+(?:com|net|org|io|dev|app|cloud|local|internal|lan|test|example|localhost)\\b(?::\\d+)?/gi':
    masked,
  '/[^\\s"\'<>:;,()]+@[^\\s"\'<>;,()]+/g': masked,
  '/\\b(?:[a-z0-9-]+\\.){2,}[a-z]{2,}\\b/gi': masked,
  '/\\b[a-z]+[_-](?=[a-z_-]*\\d)[a-z0-9_-]{4,}\\b/gi': masked,
};

type Expression = { readonly place: string; readonly text: string };

const isProduct = (file: string): boolean =>
  /\.tsx?$/.test(file) && !/\.test\.ts$|[\\/](tests|testing|generated|proof)[\\/]/.test(file);

const expressionsIn = (file: string): Expression[] => {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const expressions: Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      expressions.push({ place: `${file}:${line + 1}`, text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return expressions;
};

/** Steps are limited by what they read: on a busy machine one that runs out of time counts as a slow expression. */
const unhurried = { timeout: 120_000, seedingTimeout: null, incubationTimeout: null, attackTimeout: null };

const describeProblem = async ({ place, text }: Expression): Promise<string[]> => {
  if (text in exceptions) return [];
  const end = text.lastIndexOf('/');
  const { status } = await check(text.slice(1, end), text.slice(end + 1), unhurried);
  return status === 'safe' ? [] : [`${place} error super-linear-expression: ${text} is ${status}`];
};

/** Whether every expression of the mock and of the suite takes linear time or has an exception. */
const lintExpressions = async (): Promise<boolean> => {
  const files = ['mock', 'contract-tests'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const expressions = files.filter(isProduct).flatMap(expressionsIn);
  // One after the other: when it checks several at once, the checker finds more, by chance.
  const slow: string[] = [];
  for (const expression of expressions) slow.push(...(await describeProblem(expression)));
  const unused = Object.keys(exceptions)
    .filter((text) => !expressions.some((expression) => expression.text === text))
    .map((text) => `scripts/lint.ts: no expression is ${text}; delete the exception`);
  const problems = [...slow, ...unused];
  for (const problem of problems) console.error(problem);
  if (problems.length === 0) console.log(`${expressions.length} regular expressions: all take linear time.`);
  return problems.length === 0;
};

/** Writes the document of the admin API to a file to lint. */
const writeAdminDocument = (): string => {
  const file = join('node_modules', '.cache', 'email-leads', 'admin-openapi.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(adminDocument('0.0.0'), null, 2));
  return file;
};

const lintDescriptions = (...files: readonly string[]): boolean => {
  const redocly = join('node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const args = [redocly, 'lint', ...files, '--extends=recommended-strict', '--format=stylish'];
  // No telemetry and no check for a newer version: linting needs no network.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'pipe'], env });
  // Else it has only the progress, and a warning about the version of Node.js.
  if (status !== 0) console.error(String(stderr));
  return status === 0;
};

const isClean = await lintExpressions();
const isDescribed = lintDescriptions('openapi.yaml', writeAdminDocument());
process.exitCode = isClean && isDescribed ? 0 : 1;
