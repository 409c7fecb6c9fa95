// One mock for the file, a workspace for each test.
const assert = require('node:assert/strict');
const { startMock } = require('email-leads');
const { signUp } = require('./sign-up.cjs');

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
