import type { ComponentChildren } from 'preact'
import { Mark } from './mark'

/** Page with one form and the logo, without navigation. */
export function AloneForm({
  onSubmit,
  children,
}: {
  readonly onSubmit: () => Promise<void>
  readonly children: ComponentChildren
}) {
  return (
    <main class="alone">
      <form
        class="sign-in"
        onSubmit={(event) => {
          event.preventDefault()
          void onSubmit()
        }}
      >
        <Mark />
        {children}
      </form>
    </main>
  )
}
