import './settings.css'
import type { ComponentChildren } from 'preact'
import { go } from '../../data/route'
import { Page, Tabs } from '../../ui'
import type { RoomView } from '../room'
import { AccountSettings } from './account'
import { AuditLog } from './audit'
import { Keys } from './keys'
import { Members } from './members'
import { PlayerProof } from './player-proof'
import { WebhookPage } from './webhook-page'
import { Webhooks } from './webhooks'

const TABS = [
  { id: 'keys', label: 'Keys' },
  { id: 'members', label: 'Members' },
  { id: 'players', label: 'Player identity' },
  { id: 'webhooks', label: 'Webhooks' },
  { id: 'audit', label: 'Audit log' },
  { id: 'account', label: 'Account' },
] as const
type TabId = (typeof TABS)[number]['id']

/** Settings of the project: keys, members, player proof, webhooks, and the audit log; and of the signed-in account. */
export function View({ path: [tab, id], query }: RoomView) {
  if (tab === 'webhooks' && id !== undefined) return <WebhookPage key={id} id={id} query={query} />
  const now = TABS.find((one) => one.id === tab)?.id ?? 'keys'
  const SHOWN: Readonly<Record<TabId, ComponentChildren>> = {
    keys: <Keys />,
    members: <Members />,
    players: <PlayerProof />,
    webhooks: <Webhooks />,
    audit: <AuditLog query={query} />,
    account: <AccountSettings />,
  }
  return (
    <Page
      title="Settings"
      tools={<Tabs label="Settings" tabs={TABS} now={now} onChange={(id) => go('settings', id)} />}
    >
      {SHOWN[now]}
    </Page>
  )
}
