import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from './button'
import { type Faults, OtherFault } from './faults'
import type { IconName } from './icons'

/** Modal dialog. Escape and a click outside close it. */
export function Dialog({
  title,
  help,
  children,
  actions,
  onClose,
  wide = false,
}: {
  readonly title: string
  /** Link to the documents (`HelpLink`). */
  readonly help?: ComponentChildren
  readonly children: ComponentChildren
  /** Buttons of the dialog; the last one is the main action. */
  readonly actions?: ComponentChildren
  readonly onClose: () => void
  readonly wide?: boolean
}) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    ref.current?.showModal()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the dialog's own
    <dialog
      ref={ref}
      class={`dialog${wide ? ' wide' : ''}`}
      aria-labelledby={id}
      onClose={onClose}
      onCancel={onClose}
      onClick={(event) => {
        if (event.target === ref.current) onClose()
      }}
    >
      <div class="dialog-inside">
        <header>
          <h2 id={id}>{title}</h2>
          {help}
          <Button kind="quiet" small icon="cross" label="Close" onClick={onClose} />
        </header>
        <div class="dialog-body">{children}</div>
        {actions !== undefined && <footer>{actions}</footer>}
      </div>
    </dialog>
  )
}

/** Modal dialog with content that the user confirms or cancels: a form, or a question. */
export function FormDialog({
  title,
  help,
  children,
  confirm,
  kind = 'primary',
  icon,
  disabled,
  faults,
  onConfirm,
  onClose,
  wide = false,
}: {
  readonly title: string
  /** Link to the documents (`HelpLink`). */
  readonly help?: ComponentChildren
  readonly children: ComponentChildren
  /** Label of the button that confirms: the action, not "OK". */
  readonly confirm: string
  readonly kind?: 'primary' | 'danger'
  readonly icon?: IconName
  readonly disabled?: boolean
  /** Faults of the form. The dialog shows those that belong to no field. */
  readonly faults?: Faults
  readonly onConfirm: (() => void) | (() => Promise<unknown>)
  readonly onClose: () => void
  readonly wide?: boolean
}) {
  return (
    <Dialog
      title={title}
      help={help}
      wide={wide}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind={kind}
            {...(icon === undefined ? {} : { icon })}
            {...(disabled === undefined ? {} : { disabled })}
            onClick={onConfirm}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <div class="stack">
        {children}
        {faults !== undefined && <OtherFault of={faults} />}
      </div>
    </Dialog>
  )
}

interface Question {
  readonly title: string
  readonly text: ComponentChildren
  /** Label of the button: the action, not "OK". */
  readonly confirm: string
  readonly danger?: boolean
}

const asked = signal<(Question & { answer(yes: boolean): void }) | undefined>(undefined)

/**
 * Asks the user for confirmation. Resolves to false when the user cancels, and when another question replaces this one.
 */
export function ask(question: Question): Promise<boolean> {
  asked.value?.answer(false)
  return new Promise((resolve) => {
    asked.value = {
      ...question,
      answer(yes) {
        asked.value = undefined
        resolve(yes)
      },
    }
  })
}

/** Shows the questions of `ask`; rendered once in the page. */
export function Questions() {
  const { value } = asked
  if (value === undefined) return null
  return (
    <FormDialog
      title={value.title}
      confirm={value.confirm}
      kind={value.danger ? 'danger' : 'primary'}
      onConfirm={() => value.answer(true)}
      onClose={() => value.answer(false)}
    >
      <p>{value.text}</p>
    </FormDialog>
  )
}
