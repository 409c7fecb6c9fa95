// `node serve.mjs FRAMEWORK SWITCH…`, as a child process: starts one server for each switch, and reports where they listen.
import { apiKey } from './switches.mjs';

const [, , framework, ...switches] = process.argv;
const { start } = await import(`./${framework}.mjs`);

const servers = new Map();
for (const name of switches) servers.set(name, await start(name === 'none' ? {} : { [name]: true }));

/** The parent asks how many leads a server still holds. */
process.on('message', ({ name }) => process.send({ name, leads: servers.get(name).leads() }));
process.on('disconnect', () => process.exit());
process.send({
  key: apiKey,
  ports: Object.fromEntries([...servers].map(([name, { port }]) => [name, port])),
});
