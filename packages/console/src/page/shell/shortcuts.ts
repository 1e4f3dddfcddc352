import { isSearching } from './search-place'

/**
 * Listens for the keys of the console. Ctrl-K (Cmd-K) opens the search. `/` focuses the search field of the view, and
 * opens the search where the view has no such field.
 */
export function listenForKeys(): void {
  addEventListener('keydown', (event) => {
    // A modal dialog is above the page, so the keys stay in the dialog.
    if (event.altKey || document.querySelector('dialog[open]') !== null) return
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      isSearching.value = true
      return
    }
    if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event.target)) return
    event.preventDefault()
    const search = document.querySelector<HTMLInputElement>('[data-search]')
    if (search === null) {
      isSearching.value = true
      return
    }
    search.focus()
    search.select()
  })
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
