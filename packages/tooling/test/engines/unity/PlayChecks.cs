using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Matchyard;

public static class PlayChecks
{
    public static void AddTo(List<KeyValuePair<string, Func<Task>>> all)
    {
        all.Add("a second call of Play joins the search, its cancellation ends it, and a later call begins another", async () =>
        {
            var service = new FakeQueue(wait: null);
            using (var cancel = new CancellationTokenSource())
            using (var again = new CancellationTokenSource())
            using (var client = service.Transport.Client())
            {
                var first = client.Play("duel");
                var second = client.Play("duel", null, cancel.Token);
                await service.HasWaited;
                Checks.Same(1, service.Called.Count(call => call == "POST /below/v1/lobbies"));
                cancel.Cancel();
                var third = client.Play("duel", null, again.Token);
                await Checks.Throws<OperationCanceledException>(() => first);
                await Checks.Throws<OperationCanceledException>(() => second);
                while (service.Called.Count(call => call == "POST /below/v1/lobbies") < 2) await Task.Delay(1);
                again.Cancel();
                await Checks.Throws<OperationCanceledException>(() => third);
            }
        });

        all.Add("while the match runs, Play and Resume give the same match, without another lobby", async () =>
        {
            var service = new FakeMatches();
            using (var client = service.Transport.Client())
            {
                Checks.True(await client.Resume() == null, "no match yet");
                var match = await client.Play("duel");
                Checks.True(match == await client.Play("duel"), "the same by Play");
                Checks.True(match == await client.Resume(), "the same by Resume");
                Checks.True(match == await match.Lobby.FindMatch(), "the same by FindMatch");
            }
            Checks.Same("POST lobbies, POST lobbies/lob_1/queue", service.Posts);
            using (var reloaded = service.Transport.Client()) Checks.Same("mat_1", (await reloaded.Resume()).MatchId);
        });

        all.Add("another match of the player is told by its id, and left where the game wants that", async () =>
        {
            var service = new FakeMatches { HeldBy = "mat_9" };
            using (var client = service.Transport.Client())
            {
                var error = await Checks.Throws<MatchyardException>(() => client.Play("duel"));
                Checks.Same("PLAYER_IN_MATCH mat_9", error.Code + " " + error.MatchId);
                Checks.Same("mat_1", (await client.Play("duel", new PlayOptions { LeaveOther = true })).MatchId);
            }
            const string Tried = "POST lobbies, POST lobbies/lob_1/queue, ";
            Checks.Same(Tried + "POST lobbies/lob_1/leave, " + Tried + "POST players/me/leave-match, POST lobbies/lob_1/queue", service.Posts);
        });

        all.Add("a player joins the match of a friend, and keeps a seat for another", async () =>
        {
            var service = new FakeMatches();
            using (var client = service.Transport.Client())
            {
                var lobby = await client.Lobbies.Create("duel");
                var match = await lobby.JoinMatch("mat_1");
                Checks.Same("mat_1", match.MatchId);
                var seat = await match.KeepSeat("eve", "red", 20);
                Checks.Same("eve red 2026", seat.PlayerId + " " + seat.Team + " " + seat.ExpiresAt.Year);
                await match.FreeSeat("eve");
            }
            Checks.Same("POST lobbies, POST matches/mat_1/join, POST matches/mat_1/seats", service.Posts);
        });
    }
}

/// <summary>A service that makes a match of each lobby at once, unless another match holds the player.</summary>
public sealed class FakeMatches
{
    private bool isPlaying;

    public FakeMatches()
    {
        Transport = new FakeTransport(Answer);
    }

    public FakeTransport Transport { get; private set; }

    /// <summary>Match that keeps the player out of others until the player leaves it; null without one.</summary>
    public string HeldBy { get; set; }

    public string Posts
    {
        get
        {
            lock (Transport.Calls) return string.Join(", ", Transport.Calls.Where(call => call.Method == "POST").Select(call => "POST " + PathOf(call)).ToArray());
        }
    }

    private static string PathOf(HttpCall call)
    {
        return call.Url.AbsolutePath.Replace("/below/v1/", "");
    }

    private object Answer(HttpCall call)
    {
        switch (PathOf(call))
        {
            case "players/me": return "{\"live_match\":" + (isPlaying ? "{\"match_id\":\"mat_1\",\"queue_id\":\"duel\",\"lobby_id\":\"lob_1\"}" : "null") + "}";
            case "players/me/leave-match":
                HeldBy = null;
                return FakeTransport.Status(204, "");
            case "matches/mat_1": return "{\"match_id\":\"mat_1\",\"teams\":[{\"name\":\"red\",\"players\":[{\"player_id\":\"ann\",\"role\":null}]}]}";
            case "matches/mat_1/join":
                isPlaying = true;
                return Lobby();
            case "matches/mat_1/seats": return "{\"player_id\":\"eve\",\"team\":\"red\",\"expires_at\":\"2026-03-01T00:00:30.000Z\"}";
            case "matches/mat_1/seats/eve": return FakeTransport.Status(204, "");
            case "lobbies": return Lobby();
            case "lobbies/lob_1/leave": return FakeTransport.Status(204, "");
            case "lobbies/lob_1/queue":
                if (HeldBy != null) return FakeTransport.Status(409, FakeTransport.Problem("PLAYER_IN_MATCH", 5015, ",\"details\":{\"players\":[{\"player_id\":\"ann\",\"match_id\":\"" + HeldBy + "\"}]}"));
                isPlaying = true;
                return Lobby();
            default: return call.Url.Query == "" ? Lobby() : null;
        }
    }

    private string Lobby()
    {
        var more = ",\"queue_id\":\"duel\",\"last_exit\":null,\"match_id\":" + (isPlaying ? "\"mat_1\"" : "null");
        return FakeQueue.Lobby(isPlaying ? 2 : 1, isPlaying ? "in_game" : "waiting", more);
    }
}
