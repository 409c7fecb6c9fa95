// @ts-nocheck These files of undici have no types; the bundle contains them as they are in this project's lock file.
// undici as the bundle contains it: connections and `request`. The whole package takes 70 ms to load, most of it for its `fetch`.
import api from 'undici/lib/api/index.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';

// As the package's own entry does it.
Object.assign(Dispatcher.prototype, api);

export { Agent, EnvHttpProxyAgent };
