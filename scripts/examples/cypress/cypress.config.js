// The address of your app.
export default { e2e: { baseUrl: 'http://localhost:5173', supportFile: false } };
