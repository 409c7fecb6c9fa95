// Replaces Cypress if it is not installed: runs the commands of the example, one after another, in one page.
const queue = [];
const hooks = [];
const tests = [];

/** Every command adds a step, which gets the result of the previous step. */
const chain = () =>
  new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...values) => {
          queue.push((subject) =>
            name === 'then' ? values[0](subject) : commands[name](subject, ...values),
          );
          return chain();
        },
    },
  );

const page = () => document.querySelector('iframe').contentDocument;

const find = async (isThere) => {
  for (;;) {
    const element = isThere();
    if (element) return element;
    await new Promise(requestAnimationFrame);
  }
};

const commands = {
  wrap: (_, value) => value,
  visit: (_, path) =>
    new Promise((loaded) => {
      const frame = Object.assign(document.createElement('iframe'), { src: path, onload: loaded });
      document.body.replaceChildren(frame);
    }),
  get: (_, selector) => find(() => page().querySelector(selector)),
  contains: (_, selector, text) =>
    find(() => [...page().querySelectorAll(selector)].find(({ textContent }) => textContent.includes(text))),
  type: (element, text) => Object.assign(element, { value: text }),
  click: (element) => element.click(),
};

const expect = (actual) => ({
  to: {
    equal: (expected) => {
      if (actual !== expected) throw new Error(`expected ${actual} to equal ${expected}`);
    },
  },
});

const runQueue = async () => {
  let subject;
  while (queue.length > 0) subject = await queue.shift()(subject);
};

/** Runs the tests and returns their titles. */
const runTests = async () => {
  for (const { run } of tests) {
    for (const step of [...hooks, run]) {
      step();
      await runQueue();
    }
  }
  return tests.map(({ title }) => title);
};

Object.assign(globalThis, {
  cy: chain(),
  expect,
  runTests,
  describe: (_, define) => define(),
  beforeEach: (hook) => hooks.push(hook),
  it: (title, run) => tests.push({ title, run }),
});
