import type { PlayerAuth, PlayerIssuer } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject, useRead } from '../../data/hooks'
import { ask, Button, Card, Facts, Status, say, Text, View } from '../../ui'
import { HELP } from '../../ui/help'
import { HelpLink } from '../../ui/help-link'
import { IssuerDialog } from './issuer'
import { SecretDialog } from './secret'

/** Settings of player proof: whether it is required, and the issuers. */
export function PlayerProof() {
  const { account, project } = useProject()
  const read = useRead(() => account.projects.playerAuth(project.project_id), [account, project])
  return (
    <View of={read.now} as="cards" again={read.again}>
      {(auth) => <Proof auth={auth} again={read.again} />}
    </View>
  )
}

function Proof({ auth, again }: { readonly auth: PlayerAuth; readonly again: () => Promise<void> }) {
  const { account, project } = useProject()
  const adds = useSignal(false)
  const secret = useSignal<string | undefined>(undefined)
  const isSigned = auth.mode === 'signed'
  const put = async (next: Parameters<typeof account.projects.setPlayerAuth>[1]) => {
    const told = await account.projects.setPlayerAuth(project.project_id, next)
    secret.value = told.issuers.find((one) => one.secret !== undefined)?.secret
    await again()
  }
  const change = async () => {
    const sure = await ask(
      isSigned
        ? {
            title: 'Trust player ids without proof?',
            text: 'Any caller with a client key can then act as any player. If a client sends a token, the service still verifies it.',
            confirm: 'Trust player ids',
            danger: true,
          }
        : {
            title: 'Require player tokens?',
            text: 'Each call of a client for a player then needs a player token from one of these issuers. Calls without a token are refused at once.',
            confirm: 'Require player tokens',
          },
    )
    if (!sure) return
    await put({ mode: isSigned ? 'trusted' : 'signed', issuers: auth.issuers })
    say(isSigned ? 'Player ids are trusted without proof.' : 'Player tokens are required.')
  }
  const remove = async (issuer: PlayerIssuer) => {
    const sure = await ask({
      title: 'Remove this issuer?',
      text: 'Tokens of this issuer are refused at once. A secret generated for this issuer stops working.',
      confirm: 'Remove issuer',
      danger: true,
    })
    if (sure) await put({ mode: auth.mode, issuers: auth.issuers.filter((one) => one !== issuer) })
  }
  return (
    <>
      <Card
        title="Player identity"
        help={<HelpLink on={HELP.playerProof} />}
        actions={
          <Button small disabled={!isSigned && auth.issuers.length === 0} onClick={change}>
            {isSigned ? 'Trust player ids' : 'Require player tokens'}
          </Button>
        }
      >
        <div class="stack tight">
          {isSigned ? (
            <Status tone="good">Player tokens required</Status>
          ) : (
            <Status tone="wait">Player ids trusted</Status>
          )}
          <p class="quiet">
            {isSigned
              ? 'A client can act as a player only with a token signed by an issuer below. Server keys are always trusted.'
              : 'Player ids from clients are trusted. This is fine during development, but anybody who extracts a client key can act as any player.'}
            {!isSigned && auth.issuers.length === 0 && ' Add an issuer first, then require player tokens.'}
          </p>
        </div>
      </Card>
      <Card
        title="Issuers"
        help={<HelpLink on={HELP.issuers} />}
        actions={
          <Button small icon="plus" onClick={() => (adds.value = true)}>
            Add an issuer
          </Button>
        }
      >
        {auth.issuers.length === 0 ? (
          <p class="quiet">No issuers yet. An issuer is your own backend or an identity provider.</p>
        ) : (
          <ul class="issuers">
            {auth.issuers.map((issuer) => (
              <li key={issuer.issuer}>
                <div class="line apart">
                  <strong>
                    <Text>{issuer.issuer}</Text>
                  </strong>
                  <Button small kind="quiet" onClick={() => remove(issuer)}>
                    Remove
                  </Button>
                </div>
                <Facts of={factsOf(issuer)} />
              </li>
            ))}
          </ul>
        )}
      </Card>
      {adds.value && (
        <IssuerDialog
          onClose={() => (adds.value = false)}
          onAdd={async (issuer) => {
            await put({ mode: auth.mode, issuers: [...auth.issuers, issuer] })
            adds.value = false
          }}
        />
      )}
      {secret.value !== undefined && (
        <SecretDialog
          title="The secret of the issuer"
          secret={secret.value}
          of="secret"
          onClose={() => (secret.value = undefined)}
        >
          Your backend signs tokens with this secret (HS256). The secret is 32 bytes in base64url and is shown only
          once.
        </SecretDialog>
      )}
    </>
  )
}

const factsOf = ({ algorithms, audience, jwks, jwks_url, player_claim, state_claim }: PlayerIssuer) => [
  [
    'Signature keys',
    <Text key="keys">{jwks_url ?? (jwks === undefined ? 'a generated secret' : 'a key set, entered here')}</Text>,
  ] as const,
  ['Algorithms', algorithms.join(', ')] as const,
  ['Audience', audience === undefined ? 'none, or the project id' : <Text key="audience">{audience}</Text>] as const,
  ['Claims of player id and state', <Text key="claims">{`${player_claim}, ${state_claim}`}</Text>] as const,
]
