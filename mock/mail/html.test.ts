import { expect, test } from 'vitest';
import { remoteContentOf } from './html.ts';

test.each([
  [
    '<img src=https://a.example/1><img src="//a.example/2"><img src="//a.example/2"><img src=data:x><img src=/x>',
    2,
    0,
  ],
  [
    '<img srcset="https://a.example/1 1x, https://a.example/2 2x"><video poster=//a.example/p src=//a.example/v>',
    3,
    1,
  ],
  ['<p style="background: url(\'https://a.example/1\')"><table background=//a.example/2>', 2, 0],
  ['<style>@import url(https://a.example/a.css); p { background: url(//a.example/1) }</style>', 1, 1],
  ['<style>@font-face { src: url(https://a.example/f) } @font-face { src: local(x) }</style>', 0, 1],
  ['<iframe src=x></iframe><script src=y></script><object data=z></object><link href=//a.example/l>', 0, 4],
  ['https://a.example/ url(//a.example) <a href=https://a.example/>', 0, 0],
  ['', 0, 0],
])('of %s', (html, images, others) => {
  expect(remoteContentOf(html)).toEqual({ images, others });
});
