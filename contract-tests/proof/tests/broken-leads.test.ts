import { proveBrokenServers } from './broken-servers.ts';

proveBrokenServers('leads', (check) => /^leads\.(?!\w+\.auth)/.test(check));
