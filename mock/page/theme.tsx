import { Icon, type IconName } from './icons.tsx';
import { readStored, useStored } from './stored.ts';

type Theme = 'system' | 'light' | 'dark';

const themes: readonly Theme[] = ['system', 'light', 'dark'];
const icons: Readonly<Record<Theme, IconName>> = { system: 'contrast', light: 'sun', dark: 'moon' };

/** Light or dark as chosen; without a choice the system's setting counts (`color-scheme` in the style sheet). */
export const applyTheme = (theme = readStored('theme')): void => {
  const { dataset } = document.documentElement;
  if (theme === 'light' || theme === 'dark') dataset.theme = theme;
  else delete dataset.theme;
};

export const ThemeSwitch = () => {
  const [theme, setTheme] = useStored('theme', themes, 'system');
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
  return (
    <button
      type="button"
      class="icon-button"
      title={`Colours: ${theme}. Switch to ${next}`}
      aria-label={`Colours: ${theme}. Switch to ${next}`}
      onClick={() => {
        setTheme(next);
        applyTheme(next);
      }}
    >
      <Icon name={icons[theme]} />
    </button>
  );
};
