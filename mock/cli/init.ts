import { existsSync, writeFileSync } from 'node:fs';
import { print } from '../contract/printable.ts';
import { configNames } from './config-file.ts';
import { command, runCommand, UsageError } from './flags.ts';

const content = `# Flags of email-leads, written down once: email-leads contract staging, email-leads proxy staging, …
# A flag has priority over its environment variable, and that over this file. Files are named from this folder.
# The key (EMAIL_LEADS_API_KEY) and the permissions (--allow-writes, --send-to, --allow-unaddressed) have no place here.

# The target of a command that names none:
# target: staging

targets:
  staging:
    url: https://staging.example.com
    # Answers that this deployment is known to give: email-leads observe staging --output staging.json
    # profile: staging.json
    # rate-limit: 5/s
    # What a gateway in front of it wants; a secret field belongs into EMAIL_LEADS_HEADER:
    # header: ["X-Team: qa"]
    # client-cert: client.pem
    # client-key: client.key
    # ca: ca.pem

# For every target:
# report: [console, html]
# report-dir: email-leads-reports
# waivers: email-leads-waivers.json
# strict: true
`;

export const definition = () =>
  command(
    'email-leads init',
    'Write a configuration file with comments, email-leads.config.yaml.',
    'email-leads init',
  );

/** `email-leads init`: writes a configuration file to edit. Exit codes: 0 written, 2 there is one already. */
export const runInit = (argv: readonly string[]): Promise<number> =>
  runCommand(async () => {
    definition().parse(argv, { from: 'user' });
    const present = configNames.find((name) => existsSync(name));
    if (present !== undefined) throw new UsageError(`${present} is there already: edit it, or move it away`);
    const file = 'email-leads.config.yaml';
    writeFileSync(file, content, { flag: 'wx' });
    print(`Written: ${file}. Edit the target in it, then run: email-leads contract staging`);
    return 0;
  });
