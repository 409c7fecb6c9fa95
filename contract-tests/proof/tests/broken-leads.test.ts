import { proveBrokenServers } from './broken-servers.ts';

proveBrokenServers('leads', (section) => /^4\.[5-7]$/.test(section));
