// The page of the open questions: a heading for each section of the document, a row for each question.
import type { Question } from '../../mock/contract/questions.ts';
import { cell, tableOf } from './tables.ts';

/** The names of the sections that leave something open. */
const sections: Readonly<Record<string, string>> = {
  '2.1': 'Email message',
  '2.3': 'Lead',
  '3': 'States and transitions',
  '4.1': 'Send email',
  '4.2': 'List templates',
  '4.3': 'Send email from template',
  '4.4': 'Path forms',
  '4.6': 'Update lead',
  '4.8': 'Other operations',
  '5': 'Authentication',
  '6': 'Events',
  '7': 'Errors',
  '8': 'Limits',
  '9': 'Versioning',
};

const introduction = `<!-- Made from openapi.yaml by \`npm run generate\`. Do not edit. -->
# Open questions

The interface document (*the document*) leaves these points open. Each has a closed list of answers; the one in bold is assumed by
the mock until you choose another. No answer makes a deployment fail, unless it contradicts a derived fact and \`--strict\` is set.

\`\`\`sh
npx email-leads explain lead.duplicate                          # one question: what the document says, impact, probe
npx email-leads mock --answer lead.duplicate=rejected           # a mock with another answer
npx email-leads observe --url https://staging.example.com       # the answers of a deployment
\`\`\`

[Profiles](README.md#profiles) keep the answers of a deployment, and hold it to them.

A range of statuses, \`400-499\`, stands for any of them but 407, 429 and 503, which stand for a proxy, a rate limit and an outage.
\`200\` among the statuses of a failure means: an error response with the status 200. The last column says which permission the
probe needs; *none* means that the answer cannot be seen from outside, and only a person can set it.
`;

const needs: Readonly<Record<string, string>> = {
  read: 'reading',
  writes: '`--allow-writes`',
  send: '`--send-to`',
  unaddressed: '`--allow-unaddressed`',
};

const answersOf = ({ answers, assumed }: Question): string => {
  const others = answers.filter((answer) => answer !== assumed);
  return [`**${assumed}**`, ...others.map((answer) => `\`${answer}\``)].join(', ');
};

/** @param needOf what the probe of a question needs; `undefined` if it has none */
export const questionsPage = (
  questions: readonly Question[],
  needOf: (id: Question['id']) => string | undefined,
): string => {
  const numbers = [...new Set(questions.map(({ section }) => section))].sort(
    (left, right) => Number(left) - Number(right),
  );
  const parts = numbers.map((number) => {
    const name = sections[number];
    if (name === undefined)
      throw new Error(`scripts/generate/open-questions.ts has no name for section ${number}`);
    const rows = questions
      .filter(({ section }) => section === number)
      .map((question) => {
        const need = needOf(question.id);
        return [
          `<a id="${question.id}"></a>\`${question.id}\``,
          cell(question.question),
          answersOf(question),
          cell(question.impact),
          (need === undefined ? undefined : needs[need]) ?? 'none',
        ];
      });
    const names = ['Question', 'What is open', 'Answers', 'What depends on it', 'Probe'];
    return `\n## §${number} ${name}\n\n${tableOf(names, rows)}\n`;
  });
  return introduction + parts.join('');
};
