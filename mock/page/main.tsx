import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme } from './theme.tsx';

applyTheme();
const place = document.getElementById('page');
if (place) render(<App />, place);
