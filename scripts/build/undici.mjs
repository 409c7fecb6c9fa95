// @ts-nocheck These files of undici have no types; the bundle contains the version of this project's lock file.
// undici as bundled: connections and `request` only. The whole package takes 70 ms to load, most of it for `fetch`.
import api from 'undici/lib/api/index.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';

// As in the entry file of the package.
Object.assign(Dispatcher.prototype, api);

export { Agent, EnvHttpProxyAgent };
