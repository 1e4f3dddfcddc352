using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Matchyard;

public static class LobbyChecks
{
    public static void AddTo(List<KeyValuePair<string, Func<Task>>> all)
    {
        all.Add("an answer that was overtaken changes nothing, and changes are told one after the other", async () =>
        {
            var told = new List<string>();
            var state = StateOf(told, null);
            state.Take(Snapshot(3, "in_queue"));
            state.Take(Snapshot(2, "waiting"));
            state.Take(Snapshot(3, "in_queue"));
            Checks.Same("1>3", string.Join(" ", told.ToArray()));
            // The answer to a request for versions after 3 is version 2 only when the database was restored, so it is taken.
            state.Take(Snapshot(2, "waiting"), 3);
            Checks.Same("1>3 3>2", string.Join(" ", told.ToArray()));
            Checks.Same(2L, (await state.Until(now => now.Status == LobbyStatus.Waiting, CancellationToken.None)).Version);
        });

        all.Add("what a handler does while it is told is told after it", () =>
        {
            var told = new List<string>();
            LobbyState state = null;
            state = StateOf(told, now =>
            {
                if (now.Version == 2) state.Take(Snapshot(3, "waiting"));
                told.Add("end of " + now.Version);
            });
            state.Take(Snapshot(2, "waiting"));
            Checks.Same("1>2,end of 2,2>3,end of 3", string.Join(",", told.ToArray()));
        });

        all.Add("a handler that throws is told of, and stops nothing", () =>
        {
            var errors = new List<string>();
            var state = new LobbyState(Snapshot(1, "waiting"), new Handlers(error => errors.Add(error.Message)), (now, before) => { throw new FormatException("mine"); }, _ => { });
            state.Take(Snapshot(2, "waiting"));
            state.Take(Snapshot(3, "waiting"));
            Checks.Same("mine,mine", string.Join(",", errors.ToArray()));
            Checks.Same(3L, state.Current.Version);
        });

        all.Add("who waits hears that the lobby closed, and a wait can be cancelled", async () =>
        {
            var state = StateOf(new List<string>(), null);
            var cancel = new CancellationTokenSource();
            var cancelled = state.Until(now => false, cancel.Token);
            var waiting = state.Until(now => false, CancellationToken.None);
            cancel.Cancel();
            await Checks.Throws<OperationCanceledException>(() => cancelled);
            state.Close(new LobbyClosure(LobbyEnd.Deleted));
            Checks.Same(LobbyEnd.Deleted, (await Checks.Throws<LobbyClosedException>(() => waiting)).Closure.End);
            state.Take(Snapshot(9, "waiting"));
            Checks.Same(1L, state.Current.Version);
        });

        all.Add("a search that ends is an exception with its reason, and the player has left", async () =>
        {
            var service = new FakeQueue(wait: "{\"reason\":\"timeout\",\"detail\":\"nobody\",\"at\":\"2026-01-01T00:00:00.000Z\"}");
            using (var client = service.Transport.Client())
            {
                var ended = await Checks.Throws<MatchmakingEndedException>(() => client.Play("duel"));
                Checks.Same("timeout nobody 2026", ended.Exit.Reason + " " + ended.Exit.Detail + " " + ended.Exit.At.Year);
            }
            Checks.True(service.Called.Contains("POST /below/v1/lobbies/lob_1/leave"), string.Join(", ", service.Called));
        });

        all.Add("a search goes on while the service puts the lobby back after a failed launch", async () =>
        {
            var service = new FakeQueue(wait: "{\"reason\":\"timeout\",\"detail\":\"nobody\",\"at\":\"2026-01-01T00:00:00.000Z\"}") { FailsOnce = true };
            using (var client = service.Transport.Client())
            {
                Checks.Same("timeout", (await Checks.Throws<MatchmakingEndedException>(() => client.Play("duel"))).Exit.Reason);
            }
            Checks.True(!service.FailsOnce, "the launch failed");
        });

        all.Add("a search that is cancelled leaves the queue, then the lobby", async () =>
        {
            var service = new FakeQueue(wait: null);
            using (var cancel = new CancellationTokenSource())
            using (var client = service.Transport.Client())
            {
                var playing = client.Play("duel", null, cancel.Token);
                await service.HasWaited;
                cancel.Cancel();
                await Checks.Throws<OperationCanceledException>(() => playing);
            }
            var after = service.Called.SkipWhile(call => !call.StartsWith("DELETE", StringComparison.Ordinal)).Where(call => !call.StartsWith("GET", StringComparison.Ordinal)).ToArray();
            Checks.Same("DELETE /below/v1/lobbies/lob_1/queue, POST /below/v1/lobbies/lob_1/leave", string.Join(", ", after));
        });

        all.Add("a host bans a player and lets one in again who is not banned", async () =>
        {
            var service = new FakeTransport(call =>
                call.Method == "DELETE" ? (object)FakeTransport.Status(404, FakeTransport.Problem("BAN_NOT_FOUND", 4011))
                : call.Method == "POST" ? FakeQueue.Lobby(call.Url.AbsolutePath.EndsWith("/bans", StringComparison.Ordinal) ? 2 : 1, "waiting", "")
                : null);
            using (var client = service.Client())
            using (var lobby = await client.Lobbies.Create("duel"))
            {
                Checks.Same(2L, (await lobby.Ban("eve")).Version);
                await lobby.Unban("eve");
            }
            var bans = service.Calls.Where(call => call.Url.AbsolutePath.Contains("/bans")).ToArray();
            Checks.Same("{\"player_id\":\"eve\"}", bans[0].Body);
            Checks.Same("DELETE /below/v1/lobbies/lob_1/bans/eve", bans[1].Method + " " + bans[1].Url.AbsolutePath);
        });

        all.Add("a proposal is answered for the match that was proposed, once", async () =>
        {
            var service = new FakeQueue(wait: "{\"reason\":\"not_answered\",\"detail\":\"\",\"at\":\"2026-01-01T00:00:00.000Z\"}", proposal: "mat_7");
            var asked = 0;
            using (var client = service.Transport.Client())
            {
                await Checks.Throws<MatchmakingEndedException>(() => client.Play("duel", new PlayOptions
                {
                    OnProposal = async proposal =>
                    {
                        asked++;
                        await proposal.Accept();
                    },
                }));
            }
            Checks.Same(1, asked);
            Checks.Same("{\"match_id\":\"mat_7\"}", service.Transport.Calls.Single(call => call.Url.AbsolutePath.EndsWith("/accept", StringComparison.Ordinal)).Body);
        });
    }

    private static LobbyState StateOf(List<string> told, Action<LobbySnapshot> onChange)
    {
        return new LobbyState(Snapshot(1, "waiting"), new Handlers(null), (now, before) =>
        {
            told.Add(before.Version + ">" + now.Version);
            if (onChange != null) onChange(now);
        }, _ => { });
    }

    private static LobbySnapshot Snapshot(int version, string status)
    {
        return new LobbySnapshot(JsonText.ParseObject(FakeQueue.Lobby(version, status, "")));
    }
}

/// <summary>A service with one lobby, which queues, may be proposed a match, and then leaves the queue for a given reason or stays in it.</summary>
public sealed class FakeQueue
{
    private readonly TaskCompletionSource<bool> waited = new TaskCompletionSource<bool>();
    private readonly string exit;
    private readonly string proposal;
    private readonly bool hasProposal;
    private bool isSearching;
    private bool hasAccepted;

    public FakeQueue(string wait, string proposal = null)
    {
        exit = wait;
        this.proposal = proposal;
        hasProposal = proposal != null;
        Transport = new FakeTransport(Answer);
    }

    public FakeTransport Transport { get; private set; }

    /// <summary>Whether the lobby still returns to waiting once, from where the service puts it back.</summary>
    public bool FailsOnce { get; set; }

    public Task HasWaited
    {
        get { return waited.Task; }
    }

    public string[] Called
    {
        get
        {
            lock (Transport.Calls) return Transport.Calls.Select(call => call.Method + " " + call.Url.AbsolutePath).ToArray();
        }
    }

    public static string Lobby(int version, string status, string more)
    {
        return "{\"lobby_id\":\"lob_1\",\"version\":" + version + ",\"status\":\"" + status + "\",\"host_player_id\":\"ann\",\"players\":[{\"player_id\":\"ann\"}]" + more + "}";
    }

    private object Answer(HttpCall call)
    {
        lock (this)
        {
            var path = call.Url.AbsolutePath;
            if (path.EndsWith("/accept", StringComparison.Ordinal))
            {
                hasAccepted = true;
                return Lobby(4, "in_queue", "");
            }
            if (path.EndsWith("/queue", StringComparison.Ordinal))
            {
                isSearching = call.Method == "POST";
                return isSearching ? Lobby(2, "in_queue", "") : Lobby(5, "waiting", "");
            }
            if (call.Method == "POST") return path.EndsWith("/leave", StringComparison.Ordinal) ? (object)FakeTransport.Status(204, "") : Lobby(1, "waiting", ",\"last_exit\":null");
            if (!isSearching) return call.Url.Query.Contains("after_version=1") ? (object)FakeTransport.Status(204, "") : null;
            if (hasProposal && !hasAccepted)
            {
                return Lobby(3, "in_queue", ",\"proposal\":{\"match_id\":\"" + proposal + "\",\"needed\":2,\"accepted\":0,\"expires_at\":\"2026-01-01T00:00:00.000Z\",\"players\":[]}");
            }
            if (FailsOnce)
            {
                FailsOnce = false;
                return Lobby(3, "waiting", ",\"last_exit\":{\"reason\":\"launch_failed\",\"detail\":\"\",\"at\":\"2026-01-01T00:00:00.000Z\",\"will_requeue\":true}");
            }
            if (call.Url.Query.Contains("after_version=3")) return Lobby(4, "in_queue", ",\"last_exit\":null");
            waited.TrySetResult(true);
            return exit == null ? null : Lobby(6, "waiting", ",\"last_exit\":" + exit);
        }
    }
}
