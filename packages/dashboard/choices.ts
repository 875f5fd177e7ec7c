import type { Choices } from './state.ts';

/** Choices as the address has them after the `#`: a link shows another person the same. */
export function initialChoices(): Choices {
  const given = new URLSearchParams(location.hash.slice(1));
  const theme = given.get('theme');
  return {
    slice: given.get('by') ?? undefined,
    window: given.get('window') ?? undefined,
    focus: given.get('focus') ?? undefined,
    filter: '',
    sort: 'decision.accuracy',
    showAll: false,
    showFailures: false,
    paused: false,
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
  };
}

/** Puts the choices into the address. */
export function rememberChoices({ slice, window: name, focus, theme }: Choices): void {
  const given = Object.entries({ by: slice, window: name, focus, theme: theme === 'auto' ? undefined : theme });
  const hash = new URLSearchParams(
    given.filter((entry): entry is [string, string] => entry[1] !== undefined),
  ).toString();
  history.replaceState(null, '', hash === '' ? '#' : `#${hash}`);
}

const themes: readonly Choices['theme'][] = ['auto', 'light', 'dark'];

/** The theme after this one. */
export function nextTheme(theme: Choices['theme']): Choices['theme'] {
  return themes[(themes.indexOf(theme) + 1) % themes.length]!;
}
