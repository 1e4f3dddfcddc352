import { useSignal } from '@preact/signals'
import { invitation, joinAnew, joinAs } from '../data/invitation'
import type { Session } from '../data/session'
import { Button, type Faults, Field, faultsOf, Input, NO_FAULTS, OtherFault, sentenceOf } from '../ui'
import { AloneForm } from './alone-form'
import { EmailField } from './email-field'
import { SignIn } from './sign-in'
import { leaveAll } from './switch-project'

/** Page of an invitation for a person who is signed in. */
export function JoinAs({ session, token }: { readonly session: Session; readonly token: string }) {
  const wrong = useSignal<string | undefined>(undefined)
  const join = async () => {
    wrong.value = undefined
    await joinAs(session, token).catch((error: unknown) => {
      wrong.value = sentenceOf(error)
    })
  }
  return (
    <AloneForm onSubmit={join}>
      <h1>Join a project</h1>
      <p class="quiet">
        You are signed in as <strong>{session.account.email}</strong>. The invitation works once.
      </p>
      {wrong.value !== undefined && (
        <p class="hint wrong" role="alert">
          {wrong.value}
        </p>
      )}
      <Button kind="primary" submit>
        Join as {session.account.name}
      </Button>
      <Button kind="quiet" onClick={() => (invitation.value = undefined)}>
        Not now
      </Button>
      <Button kind="quiet" onClick={leaveAll}>
        Use another account
      </Button>
    </AloneForm>
  )
}

/** Page of an invitation for a person who is not signed in: a form for a new account, or the sign-in page. */
export function JoinAnew({ token }: { readonly token: string }) {
  const hasAccount = useSignal(false)
  const name = useSignal('')
  const email = useSignal('')
  const password = useSignal('')
  const wrong = useSignal<Faults>(NO_FAULTS)
  const busy = useSignal(false)
  if (hasAccount.value) return <SignIn />
  const join = async () => {
    busy.value = true
    wrong.value = NO_FAULTS
    try {
      await joinAnew(token, { name: name.value.trim(), email: email.value, password: password.value })
    } catch (error) {
      wrong.value = faultsOf(error, ['name', 'email', 'password'], { EMAIL_TAKEN: 'email' })
    } finally {
      busy.value = false
    }
  }
  const { of } = wrong.value
  return (
    <AloneForm onSubmit={join}>
      <h1>Join a project</h1>
      <p class="quiet">You were invited to a project on Matchyard. Make an account for it.</p>
      <Field label="Your name" error={of.name}>
        {(named) => (
          <Input {...named} required maxLength={128} value={name.value} onInput={(value) => (name.value = value)} />
        )}
      </Field>
      <EmailField value={email.value} error={of.email} onInput={(value) => (email.value = value)} />
      <Field label="Password" hint="At least 8 characters." error={of.password}>
        {(named) => (
          <Input
            {...named}
            type="password"
            required
            value={password.value}
            onInput={(value) => (password.value = value)}
          />
        )}
      </Field>
      <OtherFault of={wrong.value} />
      <Button kind="primary" submit disabled={busy.value}>
        {busy.value ? 'Joining …' : 'Make the account and join'}
      </Button>
      <Button kind="quiet" onClick={() => (hasAccount.value = true)}>
        I have an account
      </Button>
    </AloneForm>
  )
}
