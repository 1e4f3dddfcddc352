using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Matchyard;

public static class CallChecks
{
    private const string Lobby = "{\"lobby_id\":\"lob_1\",\"version\":1,\"status\":\"waiting\",\"host_player_id\":\"ann\",\"players\":[{\"player_id\":\"ann\"}]}";

    public static void AddTo(List<KeyValuePair<string, Func<Task>>> all)
    {
        all.Add("a POST keeps its idempotency key through a lost answer and a busy service, and another call has another", async () =>
        {
            var answers = new Queue<object>(new object[] { new HttpTransportException("cut"), FakeTransport.Status(503, FakeTransport.Problem("UNAVAILABLE")), Lobby, Lobby });
            var fake = new FakeTransport(call => call.Method == "POST" ? answers.Dequeue() : null);
            using (var client = fake.Client())
            {
                (await client.Lobbies.Create("duel")).Dispose();
                (await client.Lobbies.Create("duel")).Dispose();
            }
            var keys = fake.Calls.Where(call => call.Method == "POST").Select(call => FakeTransport.HeaderOf(call, "idempotency-key")).ToArray();
            Checks.Same(4, keys.Length);
            Checks.True(keys[0].Length >= 32 && keys[0] == keys[1] && keys[1] == keys[2], "the repeated call has one key");
            Checks.True(keys[2] != keys[3], "the next call has another");
            Checks.Same("http://service.test/below/v1/lobbies", fake.Calls[0].Url.AbsoluteUri);
            Checks.Same("ann", FakeTransport.HeaderOf(fake.Calls[0], "x-player-id"));
        });

        all.Add("pauses double up to a bound, are drawn from the whole of it, and come on top of what the service asked for", () =>
        {
            var most = new RetryPolicy { Draw = () => 1 };
            Checks.Same("250 500 1000 2000 4000 8000 8000", string.Join(" ", Enumerable.Range(1, 7).Select(failures => most.Pause(failures, null).TotalMilliseconds.ToString()).ToArray()));
            Checks.Same(8000.0, most.Pause(1000000, null).TotalMilliseconds);
            Checks.Same(0.0, new RetryPolicy { Draw = () => 0 }.Pause(5, null).TotalMilliseconds);
            Checks.Same(3125.0, new RetryPolicy { Draw = () => 0.5 }.Pause(1, TimeSpan.FromSeconds(3)).TotalMilliseconds);
        });

        all.Add("retry-after is heeded", async () =>
        {
            var answers = new Queue<object>(new object[] { FakeTransport.Status(429, FakeTransport.Problem("RATE_LIMITED")), "{\"data\":[]}" });
            var fake = new FakeTransport(call => answers.Dequeue());
            using (var client = fake.Client()) Checks.Same(0, (await client.Lobbies.Browse("duel")).Count);
            Checks.Same(3125.0, fake.Pauses.Single());
        });

        all.Add("a refusal is thrown at once, with all that the service said", async () =>
        {
            var fake = new FakeTransport(call => FakeTransport.Status(409, FakeTransport.Problem("LOBBY_FULL", 4002, ",\"details\":{\"a\":1}")));
            using (var client = fake.Client())
            {
                var error = await Checks.Throws<MatchyardException>(() => client.Lobbies.JoinByCode("ABC"));
                Checks.Same("LOBBY_FULL 4002 409 a sentence req_1 1", string.Join(" ", new object[] { error.Code, error.Number, error.Status, error.Detail, error.RequestId, error.Details.GetLong("a") }));
                Checks.True(error.Is(ErrorCodes.LobbyFull), "it is LobbyFull");
            }
            Checks.Same(1, fake.Calls.Count);
        });

        all.Add("a proxy's page is no answer of the service: repeated where that may help, and never taken for one", async () =>
        {
            var isUp = false;
            var fake = new FakeTransport(call => isUp ? (object)"<html>log in to the hotel's network</html>" : FakeTransport.Status(502, "<html>"));
            using (var client = new MatchyardClient(new MatchyardOptions { BaseUrl = "https://x.test", ClientKey = "ck_live_x", Player = "ann", Transport = fake, Retry = new RetryPolicy { GiveUpAfter = TimeSpan.Zero, Draw = () => 1 } }))
            {
                Checks.Same("UNREACHABLE 502", Told(await Checks.Throws<MatchyardException>(() => client.Lobbies.Browse())));
                isUp = true;
                Checks.Same("UNREACHABLE 0", Told(await Checks.Throws<MatchyardException>(() => client.Lobbies.Browse())));
            }
            Checks.Same(2, fake.Calls.Count);
        });

        all.Add("a wait between two attempts ends when it is cancelled", async () =>
        {
            var cancel = new CancellationTokenSource();
            var fake = new FakeTransport(call =>
            {
                cancel.Cancel();
                return new HttpTransportException("cut");
            });
            using (var client = fake.Client()) await Checks.Throws<OperationCanceledException>(() => client.Lobbies.Create("duel", null, cancel.Token));
            Checks.Same(1, fake.Calls.Count);
        });

        all.Add("a player token is fetched once, again before its end, and again when it is refused", async () =>
        {
            var made = 0;
            var seconds = 3600;
            var refused = false;
            var fake = new FakeTransport(call =>
            {
                if (!refused || made > 1) return "{\"data\":[]}";
                return FakeTransport.Status(401, FakeTransport.Problem("INVALID_PLAYER_TOKEN"));
            });
            Func<CancellationToken, Task<string>> tokens = _ => Task.FromResult(Token("cat", seconds, ++made));
            using (var client = new MatchyardClient(new MatchyardOptions { BaseUrl = "https://x.test", ClientKey = "ck_live_x", PlayerToken = tokens, Transport = fake }))
            {
                await client.Lobbies.Resume();
                await client.Lobbies.Resume();
                Checks.Same(1, made);
                refused = true;
                seconds = 30;
                await client.Lobbies.Resume();
                Checks.Same(2, made);
                await client.Lobbies.Resume();
                Checks.Same(3, made);
            }
            Checks.Same("Bearer " + Token("cat", 30, 3), FakeTransport.HeaderOf(fake.Calls.Last(), "authorization"));
            Checks.Same(null, FakeTransport.HeaderOf(fake.Calls.Last(), "x-player-id"));
        });

        all.Add("what cannot be is refused before anything is sent", () =>
        {
            Checks.True(Refused("play.example.com", "ck_live_x", "ann").Contains("http"), "an address without a scheme");
            Checks.True(Refused("https://x.test", "sk_live_x", "ann").Contains("server key"), "a server key");
            Checks.True(Refused("https://x.test", "ck_live_x", "Zoë").Contains("ASCII"), "a name that is no header");
            Checks.True(Refused("https://x.test", "ck_live_x", "").Contains("missing"), "nobody");
            Checks.True(Refused("https://x.test", "ck_live_x", "a\nb").Contains("ASCII"), "a header in a header");
        });

        all.Add("coroutines wait for tasks, and hear how they ended", async () =>
        {
            var task = new TaskCompletionSource<int>();
            var heard = "";
            var waiting = task.Task.AsCoroutine(result => heard = "done " + result, error => heard = "failed");
            Checks.True(waiting.MoveNext() && waiting.MoveNext(), "it waits");
            task.SetResult(7);
            Checks.True(!waiting.MoveNext(), "it ends");
            Checks.Same("done 7", heard);
            var failing = Task.Run(() => { throw new FormatException("no"); });
            await Checks.Throws<FormatException>(() => failing);
            Checks.True(!failing.AsCoroutine(null, error => heard = error.Message).MoveNext(), "it ends");
            Checks.Same("no", heard);
            Checks.Throws<InvalidOperationException>(() => failing.AsCoroutine().MoveNext());
        });
    }

    private static string Told(MatchyardException error)
    {
        return error.Code + " " + error.Status;
    }

    private static string Refused(string url, string key, string player)
    {
        return Checks.Throws<ArgumentException>(() => new MatchyardClient(url, key, player).Dispose()).Message;
    }

    private static string Token(string player, int seconds, int number)
    {
        var exp = (long)(DateTime.UtcNow - new DateTime(1970, 1, 1)).TotalSeconds / 60 * 60 + seconds;
        return "e30." + ServerChecks.Base64(Encoding.UTF8.GetBytes("{\"sub\":\"" + player + "\",\"exp\":" + exp + ",\"n\":" + number + "}")) + ".x";
    }
}
