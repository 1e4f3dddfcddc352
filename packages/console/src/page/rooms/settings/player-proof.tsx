import type { PlayerAuth, PlayerIssuer } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject, useRead } from '../../data/hooks'
import { ask, Button, Card, Facts, Status, say, Text, View } from '../../ui'
import { IssuerDialog } from './issuer'
import { SecretDialog } from './secret'

/** How players prove who they are: whether they must, and whose word counts. */
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
            title: 'Believe every player again?',
            text: 'Whoever has a client key may then act as any player. Tokens that are sent are still judged.',
            confirm: 'Believe x-player-id',
            danger: true,
          }
        : {
            title: 'Ask for a token from now on?',
            text: 'Every call of a client that names a player needs a token of one of these issuers. Clients that send none are refused at once.',
            confirm: 'Ask for tokens',
          },
    )
    if (!sure) return
    await put({ mode: isSigned ? 'trusted' : 'signed', issuers: auth.issuers })
    say(isSigned ? 'Players are believed.' : 'Players prove who they are.')
  }
  const remove = async (issuer: PlayerIssuer) => {
    const sure = await ask({
      title: 'Remove this issuer?',
      text: 'Its tokens are refused at once, and a secret that was generated for it is good for nothing any more.',
      confirm: 'Remove issuer',
      danger: true,
    })
    if (sure) await put({ mode: auth.mode, issuers: auth.issuers.filter((one) => one !== issuer) })
  }
  return (
    <>
      <Card
        title="Who players are"
        actions={
          <Button small disabled={!isSigned && auth.issuers.length === 0} onClick={change}>
            {isSigned ? 'Believe players' : 'Ask for proof'}
          </Button>
        }
      >
        <div class="stack tight">
          {isSigned ? <Status tone="good">Proven by a token</Status> : <Status tone="wait">Believed</Status>}
          <p class="quiet">
            {isSigned
              ? 'A client may act as a player only with a token that one of the issuers below signed. Server keys are believed always.'
              : 'A client says who plays, and is believed. That is well while a game is made; whoever takes a client key out of it can act as any player.'}
            {!isSigned && auth.issuers.length === 0 && ' Add an issuer first, then ask for proof.'}
          </p>
        </div>
      </Card>
      <Card
        title="Issuers"
        actions={
          <Button small icon="plus" onClick={() => (adds.value = true)}>
            Add an issuer
          </Button>
        }
      >
        {auth.issuers.length === 0 ? (
          <p class="quiet">None yet. An issuer is your own backend, or an identity provider.</p>
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
          Your backend signs tokens with it (HS256). It is base64url of 32 bytes, and shown this once.
        </SecretDialog>
      )}
    </>
  )
}

const factsOf = ({ algorithms, audience, jwks, jwks_url, player_claim, state_claim }: PlayerIssuer) => [
  [
    'Keys',
    <Text key="keys">{jwks_url ?? (jwks === undefined ? 'a generated secret' : 'a key set, written here')}</Text>,
  ] as const,
  ['Signed by', algorithms.join(', ')] as const,
  ['Audience', audience === undefined ? 'none, or the project' : <Text key="audience">{audience}</Text>] as const,
  ['Player, state', <Text key="claims">{`${player_claim}, ${state_claim}`}</Text>] as const,
]
