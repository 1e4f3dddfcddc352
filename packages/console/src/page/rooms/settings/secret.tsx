import type { ComponentChildren } from 'preact'
import { Button, Copy, Dialog } from '../../ui'

/** Dialog with a secret that is shown only once. */
export function SecretDialog({
  title,
  secret,
  of,
  children,
  onClose,
}: {
  readonly title: string
  readonly secret: string
  /** Name of the secret, for the notice that is shown after copying. */
  readonly of: string
  readonly children: ComponentChildren
  readonly onClose: () => void
}) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          I have stored the {of}
        </Button>
      }
    >
      <div class="stack">
        <p>{children}</p>
        <div class="secret">
          <code>{secret}</code>
          <Copy text={secret} of={of} label="Copy" />
        </div>
      </div>
    </Dialog>
  )
}
