// One mock for all workers, which the runner starts. The browser: npx playwright install chromium
import { defineConfig } from '@playwright/test';
import type { MockOptions } from 'email-leads/playwright';

const port = process.env.MOCK_PORT ?? '4010';
const url = `http://127.0.0.1:${port}`;
// Only needed if Playwright's own browser is not installed.
const executablePath = process.env.CHROMIUM;

export default defineConfig<object, MockOptions>({
  workers: 2,
  fullyParallel: true,
  use: {
    // Without it, each worker starts its own mock.
    mockUrl: url,
    launchOptions: executablePath ? { executablePath, args: ['--no-sandbox'] } : {},
  },
  webServer: {
    command: `${process.env.MOCK_COMMAND ?? 'npx email-leads mock'} --port ${port} --log silent`,
    url: `${url}/__admin/health`,
    reuseExistingServer: true,
  },
});
