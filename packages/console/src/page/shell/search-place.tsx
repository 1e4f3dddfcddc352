import { signal, useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { failed, Icon } from '../ui'

/** Whether the search is open. */
export const isSearching = signal(false)

const close = () => {
  isSearching.value = false
}

/** The search, loaded when it is first opened; rendered once in the open project. */
export function SearchPlace() {
  const dialog = useSignal<{ readonly Show: ComponentType<{ readonly onClose: () => void }> } | undefined>(undefined)
  const { value: isOpen } = isSearching
  useEffect(() => {
    if (!isOpen || dialog.value !== undefined) return
    import('./search').then(
      ({ SearchDialog }) => {
        dialog.value = { Show: SearchDialog }
      },
      (cause: unknown) => {
        close()
        failed(cause)
      },
    )
  }, [isOpen])
  useEffect(() => close, [])
  return isOpen && dialog.value !== undefined ? <dialog.value.Show onClose={close} /> : null
}

/** Button that opens the search. */
export const SearchButton = () => (
  <button
    type="button"
    class="find-button"
    onClick={() => (isSearching.value = true)}
    aria-haspopup="dialog"
    aria-keyshortcuts="Control+K"
  >
    <Icon name="search" size={14} />
    <span>Search</span>
    <span class="keys" aria-hidden="true">
      Ctrl K
    </span>
  </button>
)
