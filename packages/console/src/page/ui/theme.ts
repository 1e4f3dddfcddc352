import { computed, effect, signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

const KEPT = 'matchyard.theme'
const dark = window.matchMedia('(prefers-color-scheme: dark)')
const isDark = signal(dark.matches)
dark.addEventListener('change', () => {
  isDark.value = dark.matches
})

/** Theme that the user chose. */
export const theme = signal<Theme>(kept())

/** Theme that is shown: `light` or `dark`. */
export const effectiveTheme = computed(() =>
  theme.value === 'system' ? (isDark.value ? 'dark' : 'light') : theme.value,
)

effect(() => {
  document.documentElement.dataset.theme = effectiveTheme.value
})

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen
  try {
    localStorage.setItem(KEPT, chosen)
  } catch {}
}

function kept(): Theme {
  try {
    const chosen = localStorage.getItem(KEPT)
    return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
  } catch {
    return 'system'
  }
}
