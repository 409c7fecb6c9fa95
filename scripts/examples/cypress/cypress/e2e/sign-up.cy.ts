// The mock runs beside the app, and accepts admin requests from its page:
//   npx email-leads mock --allowed-origin http://localhost:5173     the origin of `baseUrl` in cypress.config.js
import { connectMock } from 'email-leads/client';

const mock = connectMock('http://127.0.0.1:4010', { apiKey: 'test_cypress' });

describe('signing up', () => {
  beforeEach(() => {
    cy.wrap(null).then(() => mock.reset());
  });

  it('sends a welcome', () => {
    cy.visit('/');
    cy.get('input[name=name]').type('Lena');
    cy.contains('button', 'Sign up').click();
    cy.wrap(null)
      .then(() => mock.outbox.waitFor({ to: 'lena@example.com' }))
      .then(([mail]) => expect(mail.subject).to.equal('Welcome'));
  });
});
