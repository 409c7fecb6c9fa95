import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process';

/** The files of the package, as npm would pack them. @param root the folder of the project */
export const listPacked = (root: string): readonly string[] => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { npm_execpath: npm } = process.env;
  const [command = 'npm', ...before] = npm?.endsWith('.js') ? [process.execPath, npm] : [];
  const options: ExecFileSyncOptionsWithStringEncoding = {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  };
  const [{ files }] = JSON.parse(execFileSync(command, [...before, ...args], options)) as [
    { files: { path: string }[] },
  ];
  return files.map(({ path }) => path);
};
