// With Mocha (npm install --save-dev mocha, npx mocha mocha/sign-up.spec.cjs): one mock per file, one workspace per test.
const assert = require('node:assert/strict');
const { startMock } = require('email-leads');
const { signUp } = require('../app.cjs');

describe('signing up', () => {
  let mock;
  let workspace;
  before(async () => {
    mock = await startMock();
  });
  beforeEach(() => {
    workspace = mock.workspace();
  });
  after(() => mock.close());

  it('sends a welcome', async () => {
    await signUp({ baseUrl: mock.url, apiKey: workspace.apiKey }, 'Lena', 'lena@example.com');
    const [mail] = await workspace.outbox.waitFor({ to: 'lena@example.com' });
    assert.equal(mail.text, 'Welcome, Lena!');
  });
});
