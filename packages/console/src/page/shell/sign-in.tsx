import { useSignal } from '@preact/signals'
import { useTrial } from '../data/about'
import { openIdStart, useOpenId } from '../data/openid'
import { needsCode, signedOutWhy, signIn } from '../data/session'
import { Button, Field, Input, sentenceOf, Text } from '../ui'
import { AloneForm } from './alone-form'
import { EmailField } from './email-field'

/** Sign-in page, with e-mail and password, and with a code once the service has asked for it. */
export function SignIn() {
  const isTrial = useTrial()
  const openId = useOpenId()
  const email = useSignal('')
  const password = useSignal('')
  const code = useSignal('')
  const asksForCode = useSignal(false)
  const wrong = useSignal<string | undefined>(undefined)
  const busy = useSignal(false)
  const enter = async () => {
    busy.value = true
    wrong.value = undefined
    try {
      await signIn(email.value, password.value, asksForCode.value ? code.value : undefined)
    } catch (error) {
      if (needsCode(error)) asksForCode.value = true
      else wrong.value = sentenceOf(error)
    } finally {
      busy.value = false
    }
  }
  return (
    <AloneForm onSubmit={enter}>
      <h1>Sign in to Matchyard</h1>
      {signedOutWhy.value !== '' && <p class="quiet">{signedOutWhy.value}</p>}
      {openId !== undefined && (
        <Button kind={openId.passwords ? 'plain' : 'primary'} href={openIdStart()}>
          Sign in with <Text>{openId.name}</Text>
        </Button>
      )}
      {openId?.passwords !== false && (
        <>
          <EmailField value={email.value} onInput={(value) => (email.value = value)} />
          <Field label="Password" error={asksForCode.value ? undefined : wrong.value}>
            {(named) => (
              <Input
                {...named}
                type="password"
                autocomplete="current-password"
                required
                value={password.value}
                onInput={(value) => (password.value = value)}
              />
            )}
          </Field>
          {asksForCode.value && (
            <Field label="Code" hint="Six digits of your authenticator, or a recovery code." error={wrong.value}>
              {(named) => (
                <Input
                  {...named}
                  type="text"
                  autocomplete="one-time-code"
                  required
                  value={code.value}
                  onInput={(value) => (code.value = value)}
                />
              )}
            </Field>
          )}
          <Button kind="primary" submit disabled={busy.value}>
            {busy.value ? 'Signing in …' : 'Sign in'}
          </Button>
        </>
      )}
      {isTrial && (
        <p class="quiet small">
          On startup, <code>matchyard dev</code> prints a link that signs you in once. For later sign-ins, the e-mail
          and the password are in <code>credentials.json</code> in the data folder (<code>.matchyard</code>).
        </p>
      )}
    </AloneForm>
  )
}
