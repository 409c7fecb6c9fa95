import { proveBrokenServers } from './broken-servers.ts';

proveBrokenServers('mails and templates', (check) => /^(email|templates)\.(?!\w+\.auth)/.test(check));
