// The proxy that `npm run bench` compares `email-leads proxy` with: the shortest one possible
// in Node.js. It checks and records nothing.
import { Agent, createServer, request } from 'node:http';

const upstream = new URL(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true });

const server = createServer((req, res) => {
  const outgoing = request(
    {
      host: upstream.hostname,
      port: upstream.port,
      method: req.method,
      path: req.url,
      headers: req.headers,
      agent,
    },
    (response) => {
      res.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(res);
    },
  );
  req.pipe(outgoing);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0} `);
});
process.once('SIGTERM', () => process.exit());
