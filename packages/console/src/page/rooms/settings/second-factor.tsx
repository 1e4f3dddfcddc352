import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useProject, useRead } from '../../data/hooks'
import { Button, Card, type Faults, Field, FormDialog, faultsOf, Input, NO_FAULTS, say, View } from '../../ui'
import { QrCode } from './qr-code'
import { SecretDialog } from './secret'

const PATH = '/v1/account/second-factor'

interface FactorState {
  readonly active: boolean
  readonly recovery_codes_left: number
}
interface Begun {
  readonly secret?: string
  readonly uri?: string
}

/** Card with the state of the second factor, and the dialogs that set it up and remove it. */
export function SecondFactor() {
  const { wire } = useProject().session
  const read = useRead(() => wire.get<FactorState>(PATH), [wire])
  const dialog = useSignal<'begin' | 'remove' | undefined>(undefined)
  const begun = useSignal<Begun | undefined>(undefined)
  const codes = useSignal<readonly string[]>([])
  const close = () => {
    dialog.value = undefined
    begun.value = undefined
  }
  const done = (what: string) => {
    close()
    say(what)
    void read.again()
  }
  return (
    <Card title="Second factor">
      <View of={read.now} as="rows" again={read.again}>
        {({ active, recovery_codes_left: left }) => (
          <div class="stack">
            <p>
              {active
                ? `A login by password needs a code of your authenticator. ${left} recovery codes are left.`
                : 'A password alone opens this account. With a second factor, a login also needs a code of an authenticator app.'}
            </p>
            <div>
              <Button onClick={() => (dialog.value = active ? 'remove' : 'begin')}>
                {active ? 'Remove the second factor' : 'Set up a second factor'}
              </Button>
            </div>
          </div>
        )}
      </View>
      {dialog.value === 'begin' && begun.value === undefined && (
        <ProofDialog
          title="Set up a second factor"
          label="Password"
          confirm="Go on"
          type="password"
          autocomplete="current-password"
          onClose={close}
          onConfirm={async (password) => {
            begun.value = await wire.post<Begun>(PATH, { password })
          }}
        />
      )}
      {begun.value !== undefined && (
        <ProofDialog
          title="Add the account to your authenticator"
          label="Code"
          confirm="Activate"
          type="text"
          autocomplete="one-time-code"
          onClose={close}
          onConfirm={async (code) => {
            const { recovery_codes } = await wire.put<{ readonly recovery_codes?: readonly string[] }>(PATH, { code })
            codes.value = recovery_codes ?? []
            done('The second factor is active.')
          }}
        >
          <QrCode text={begun.value.uri ?? ''} />
          <p>
            Scan the code, or type this secret: <code>{begun.value.secret}</code>. Then enter the six digits that the
            authenticator shows.
          </p>
        </ProofDialog>
      )}
      {dialog.value === 'remove' && (
        <ProofDialog
          title="Remove the second factor"
          label="Code"
          confirm="Remove"
          type="text"
          autocomplete="one-time-code"
          onClose={close}
          onConfirm={async (code) => {
            await wire.post(`${PATH}/remove`, { code })
            done('The account has no second factor.')
          }}
        />
      )}
      {codes.value.length > 0 && (
        <SecretDialog
          title="Recovery codes"
          secret={codes.value.join(' ')}
          of="recovery codes"
          onClose={() => (codes.value = [])}
        >
          Each of these codes signs you in once without the authenticator. They are shown only now.
        </SecretDialog>
      )}
    </Card>
  )
}

/** Dialog that asks for a password or a code. */
function ProofDialog({
  title,
  label,
  confirm,
  type,
  autocomplete,
  children,
  onConfirm,
  onClose,
}: {
  readonly title: string
  readonly label: 'Password' | 'Code'
  readonly confirm: string
  readonly type: 'password' | 'text'
  readonly autocomplete: 'current-password' | 'one-time-code'
  readonly children?: ComponentChildren
  readonly onConfirm: (text: string) => Promise<void>
  readonly onClose: () => void
}) {
  const text = useSignal('')
  const wrong = useSignal<Faults>(NO_FAULTS)
  const send = async () => {
    wrong.value = NO_FAULTS
    try {
      await onConfirm(text.value)
    } catch (error) {
      wrong.value = faultsOf(error, ['password', 'code'])
    }
  }
  const field = label === 'Password' ? 'password' : 'code'
  return (
    <FormDialog title={title} onClose={onClose} confirm={confirm} onConfirm={send} faults={wrong.value}>
      {children}
      <Field label={label} error={wrong.value.of[field]}>
        {(given) => (
          <Input
            {...given}
            type={type}
            autocomplete={autocomplete}
            value={text.value}
            onInput={(value) => (text.value = value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}
