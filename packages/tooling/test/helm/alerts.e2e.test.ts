import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, expect, it } from 'vitest'
import { parse } from 'yaml'
import { CHART } from '../../src/helm/render'
import { skipWithout } from '../../src/needs'

const run = promisify(execFile)
const RULES = join(CHART, 'files', 'alerts.yaml')
const isHere = spawnSync('promtool', ['--version'], { stdio: 'ignore' }).status === 0
beforeEach((context) => {
  if (!isHere) skipWithout(context, 'Prometheus', 'promtool is not on the path')
})

/** Series of two healthy nodes, one value per minute, and the other series that the alerts read. */
const WELL: Readonly<Record<string, string>> = {
  'matchyard_storage_up{pod="a"}': '1x120',
  'matchyard_storage_up{pod="b"}': '1x120',
  'matchyard_http_refused_total{rank="begin"}': '0x120',
  'matchyard_http_requests_total{status="200"}': '0+6000x120',
  'matchyard_http_requests_total{status="500"}': '0+10x120',
  'matchyard_http_request_duration_seconds_bucket{operation="lobbies.create",le="0.1"}': '0+1000x120',
  'matchyard_http_request_duration_seconds_bucket{operation="lobbies.create",le="5"}': '0+1000x120',
  'matchyard_http_request_duration_seconds_bucket{operation="lobbies.create",le="+Inf"}': '0+1000x120',
  nodejs_eventloop_lag_p99_seconds: '0.02x120',
  'matchyard_job_lag_seconds{lane="launches"}': '0.5x120',
  matchyard_waiting_parties: '50x120',
  'matchyard_matches_total{origin="queue"}': '0+60x120',
  'matchyard_time_to_match_seconds_bucket{le="10"}': '0+100x120',
  'matchyard_time_to_match_seconds_bucket{le="300"}': '0+100x120',
  'matchyard_time_to_match_seconds_bucket{le="+Inf"}': '0+100x120',
  matchyard_room_wait_seconds: '0x120',
  'matchyard_servers_ended_total{status="stopped"}': '0+60x120',
  'matchyard_servers_ended_total{status="failed"}': '0x120',
  'matchyard_launch_duration_seconds_bucket{le="5"}': '0+60x120',
  'matchyard_launch_duration_seconds_bucket{le="60"}': '0+60x120',
  'matchyard_launch_duration_seconds_bucket{le="+Inf"}': '0+60x120',
  matchyard_webhook_deliveries_given_up_total: '0x120',
  'matchyard_webhooks_disabled_total{reason="failures"}': '0x120',
  matchyard_worker_restarts_total: '0x120',
  matchyard_log_lines_dropped_total: '0x120',
}

/** The series that differ in each fault, by the name of the alert that must fire. */
const ILL: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  MatchyardIsSilent: { 'matchyard_storage_up{pod="a"}': '_x120', 'matchyard_storage_up{pod="b"}': '_x120' },
  MatchyardHasNoDatabase: { 'matchyard_storage_up{pod="b"}': '0x120' },
  MatchyardRefusesCalls: { 'matchyard_http_refused_total{rank="begin"}': '0+60x120' },
  MatchyardFails: { 'matchyard_http_requests_total{status="500"}': '0+600x120' },
  MatchyardIsSlow: {
    'matchyard_http_request_duration_seconds_bucket{operation="lobbies.create",le="0.1"}': '0+900x120',
  },
  MatchyardLoopLags: { nodejs_eventloop_lag_p99_seconds: '0.4x120' },
  MatchyardJobsAreLate: { 'matchyard_job_lag_seconds{lane="launches"}': '90x120' },
  MatchyardMatchesNobody: { 'matchyard_matches_total{origin="queue"}': '0x120' },
  MatchyardPlayersWait: { 'matchyard_time_to_match_seconds_bucket{le="10"}': '0+50x120' },
  MatchyardHasNoRoom: { matchyard_room_wait_seconds: '60x120' },
  MatchyardGameServersFail: { 'matchyard_servers_ended_total{status="failed"}': '0+10x120' },
  MatchyardLaunchesAreSlow: { 'matchyard_launch_duration_seconds_bucket{le="5"}': '0+30x120' },
  MatchyardWebhooksAreGivenUp: { matchyard_webhook_deliveries_given_up_total: '0+1x120' },
  MatchyardWorkersDie: { matchyard_worker_restarts_total: '0+1x120' },
  MatchyardLosesLog: { matchyard_log_lines_dropped_total: '0+5x120' },
}

const alerts = (parse(readFileSync(RULES, 'utf8')).groups[0].rules as { alert: string }[]).map(({ alert }) => alert)

it('Prometheus takes the rules, and finds no fault with them', async () => {
  const { stdout } = await run('promtool', ['check', 'rules', '--lint=all', '--lint-fatal', RULES])
  expect(stdout).toContain(`SUCCESS: ${alerts.length} rules found`)
})

it('beside a service that is well none fires, and each fires alone where its own cause is', async () => {
  expect(Object.keys(ILL)).toEqual(alerts)
  const folder = mkdtempSync(join(tmpdir(), 'matchyard-alerts-'))
  try {
    const tests = [undefined, ...alerts].map((ill) => ({
      name: ill ?? 'well',
      interval: '1m',
      input_series: Object.entries({ ...WELL, ...ILL[ill ?? ''] }).map(([series, values]) => ({ series, values })),
      // Only the names are compared: the texts of alerts are for operators.
      promql_expr_test: [
        {
          expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: '100m',
          exp_samples: ill === undefined ? [] : [{ labels: `{alertname="${ill}"}`, value: 1 }],
        },
      ],
    }))
    const file = join(folder, 'tests.json')
    writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }))
    const said = await run('promtool', ['test', 'rules', file]).catch(
      (error: { stderr: string; stdout: string }) => error,
    )
    expect(`${said.stdout}${said.stderr}`).toContain('SUCCESS')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
