import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icons'
import { failed } from './toast'

interface ButtonProps {
  readonly children?: ComponentChildren
  /** Style of the button; the default is `plain`. A view has at most one `primary` button. */
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  readonly small?: boolean
  readonly icon?: IconName
  /** Name of a button that shows only an icon. */
  readonly label?: string
  readonly disabled?: boolean
  /** Whether the button submits its form. */
  readonly submit?: boolean
  /** Address to which the button links. */
  readonly href?: string
  readonly expanded?: boolean
  /**
   * Action of the button. The button shows that it is busy until an asynchronous action has ended. An error is shown as
   * a toast.
   */
  readonly onClick?: (() => void) | (() => Promise<unknown>)
}

export function Button({
  children,
  kind = 'plain',
  small,
  icon,
  label,
  disabled,
  submit,
  href,
  expanded,
  onClick,
}: ButtonProps) {
  const busy = useSignal(false)
  const click = async () => {
    if (onClick === undefined || busy.value) return
    try {
      const work = onClick()
      if (work === undefined) return
      busy.value = true
      await work
    } catch (error) {
      failed(error)
    } finally {
      busy.value = false
    }
  }
  const look = `button ${kind}${small ? ' small' : ''}${children === undefined ? ' square' : ''}`
  const inside = (
    <>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </>
  )
  if (href !== undefined) {
    return (
      <a class={look} href={href} aria-label={label}>
        {inside}
      </a>
    )
  }
  return (
    <button
      type={submit ? 'submit' : 'button'}
      class={look}
      disabled={disabled}
      aria-label={label}
      title={label}
      aria-busy={busy.value}
      aria-expanded={expanded}
      onClick={click}
    >
      {inside}
    </button>
  )
}
