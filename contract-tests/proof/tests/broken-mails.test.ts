import { proveBrokenServers } from './broken-servers.ts';

proveBrokenServers('mails and templates', (section) => /^(2\.2|4\.[1-4])$/.test(section));
