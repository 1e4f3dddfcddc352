using System;
using System.Collections.Generic;
using System.IO;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Matchyard;

public static class ServerChecks
{
    private const string Header = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";
    private static readonly byte[] Key = new byte[32];

    public static void AddTo(List<KeyValuePair<string, Func<Task>>> all, string scratch)
    {
        all.Add("a join token lets its player in, with team and role", () =>
        {
            Joiner joiner;
            Checks.Same(JoinRefusal.None, Judge(Token(Claims()), out joiner));
            Checks.Same("ann team_1 tank", joiner.PlayerId + " " + joiner.Team + " " + joiner.Role);
        });

        all.Add("every other token lets nobody in, and says why", () =>
        {
            Joiner joiner;
            var good = Token(Claims());
            var parts = good.Split('.');
            foreach (var wrong in new[] { null, "", "a.b", "..", good + ".x", good + "=", " " + good, parts[0] + "." + parts[1] + ".", new string('a', 9000), parts[0] + "." + parts[1] + ".!" })
            {
                var refusal = Judge(wrong, out joiner);
                Checks.True(refusal == JoinRefusal.Malformed || refusal == JoinRefusal.Forged, wrong + ": " + refusal);
                Checks.Same(null, joiner);
            }
            Checks.Same(JoinRefusal.Forged, Judge(Token(Claims(), "{\"alg\":\"none\"}"), out joiner));
            Checks.Same(JoinRefusal.Forged, Judge(Token(Claims(), "{\"alg\":\"HS512\"}"), out joiner));
            Checks.Same(JoinRefusal.Forged, Judge(Token(Claims(), "{\"alg\":\"HS256\",\"crit\":[\"x\"]}"), out joiner));
            Checks.Same(JoinRefusal.Malformed, Judge(Token(Claims(), "{\"alg\":\"HS256\",\"alg\":\"HS256\"}"), out joiner));
            Checks.Same(JoinRefusal.Forged, Judge(Token(Claims(), Header, new byte[] { 1 }), out joiner));
            Checks.Same(JoinRefusal.Forged, Judge(Token(Claims(match: "mat_2")), out joiner));
            Checks.Same(JoinRefusal.Forged, Judge(Token(Claims(instance: "srv_2")), out joiner));
            Checks.Same(JoinRefusal.Expired, Judge(Token(Claims(seconds: -61)), out joiner));
            Checks.Same(JoinRefusal.None, Judge(Token(Claims(seconds: -50)), out joiner));
            Checks.Same(JoinRefusal.Malformed, Judge(Token("{\"sub\":\"ann\"}"), out joiner));
            Checks.Same(JoinRefusal.Malformed, Judge(Token(Claims().Replace("\"exp\":", "\"exp\":\"1\",\"x\":")), out joiner));
            Checks.Same(JoinRefusal.Malformed, Judge(Token("[]"), out joiner));
        });

        all.Add("who has left does not come back by an old token, but by a new one", () =>
        {
            Joiner joiner;
            var departures = new Departures();
            var tokens = new JoinTokens(File(), departures);
            departures.Note("ann");
            Checks.Same(JoinRefusal.Left, tokens.Judge(Token(Claims()), out joiner));
            var empty = new MatchRoster(2, null);
            departures.Note(empty, new MatchRoster(3, JsonText.ParseObject("{\"teams\":[{\"name\":\"team_1\",\"players\":[{\"player_id\":\"ann\"}]}]}").GetArray("teams")));
            Checks.Same(JoinRefusal.None, tokens.Judge(Token(Claims()), out joiner));
        });

        all.Add("a stream of events is read in pieces of any size", () =>
        {
            var text = ": ping\r\nretry: 2000\r\n\r\nevent: match_updated\nid: 3\ndata: {\"a\":\ndata:\"é😀\"}\n\n:x\rdata\r\rid: 4\n\n";
            var bytes = Encoding.UTF8.GetBytes(text);
            for (var size = 1; size <= bytes.Length; size++)
            {
                var heard = new List<string>();
                var reader = new EventStreamReader((name, id, data) => heard.Add(name + "/" + id + "/" + data));
                for (var at = 0; at < bytes.Length; at += size) reader.Take(new ArraySegment<byte>(bytes, at, Math.Min(size, bytes.Length - at)));
                Checks.Same("match_updated/3/{\"a\":\n\"é😀\"}|message//", string.Join("|", heard.ToArray()));
            }
        });

        all.Add("by itself, outside Matchyard, a server has what it is told and calls nobody", async () =>
        {
            Environment.SetEnvironmentVariable("SVC_CONFIG_FILE", null);
            Checks.True(Checks.Throws<InvalidOperationException>(() => GameServer.Attach()).Message.Contains("GameServerOptions.Local"), "it says what to do");
            var local = new JsonObject { { "settings", new JsonObject { { "map", "dust" } } } };
            using (var server = GameServer.Attach(new GameServerOptions { Local = local }))
            {
                Checks.Same("dust", server.Settings.GetString("map"));
                await server.Ready();
                Checks.Same(null, await server.Backfill());
                Checks.Same(null, await server.KeepSeat("eve"));
                await server.FreeSeat("eve");
                await server.PlayerLeft("ann");
                await server.PlayerLeft("bob", true);
                await server.ReportResult(new MatchResult().Rank("red", 1).Rank("blue", 2));
                await server.Shutdown();
                Checks.Same(JoinRefusal.Forged, Checks.Throws<JoinTokenException>(() => server.Verify(Token(Claims()))).Refusal);
            }
        });

        all.Add("a result is sent with the names of the service", async () =>
        {
            var path = Path.Combine(scratch, "result.json");
            System.IO.File.WriteAllText(path, "{\"instance_id\":\"srv_1\",\"api_url\":\"http://localhost\",\"token\":\"a\",\"match_id\":\"mat_1\"}");
            Environment.SetEnvironmentVariable("SVC_CONFIG_FILE", path);
            string sent = null;
            var transport = new FakeTransport(call =>
            {
                if (call.Url.AbsolutePath != "/v1/servers/self/result") return null;
                sent = call.Body;
                return "{}";
            });
            using (var server = GameServer.Attach(new GameServerOptions { Transport = transport }))
            {
                var stats = new JsonObject { { "kills", 3 } };
                await server.ReportResult(new MatchResult { End = true }.Rank("red", 1, 2.5).Score("blue", 1).Player("ann", 7, stats).Player("bob", left: true));
            }
            Environment.SetEnvironmentVariable("SVC_CONFIG_FILE", null);
            Checks.Same("{\"teams\":[{\"name\":\"red\",\"rank\":1,\"score\":2.5},{\"name\":\"blue\",\"score\":1}],\"players\":[{\"player_id\":\"ann\",\"stats\":{\"kills\":3},\"score\":7},{\"player_id\":\"bob\",\"left\":true}],\"completed\":true,\"end\":true}", sent);
        });

        all.Add("a configuration file that is none is named, and what is wrong with it", () =>
        {
            var path = Path.Combine(scratch, "its_svc.json");
            Environment.SetEnvironmentVariable("SVC_CONFIG_FILE", path);
            foreach (var wrong in new[] { "", "[]", "{", "{\"instance_id\":\"srv_1\"}", "\ufeff{}" })
            {
                System.IO.File.WriteAllText(path, wrong, new UTF8Encoding(false));
                Checks.True(Checks.Throws<InvalidOperationException>(() => GameServer.Attach()).Message.Contains(path), wrong);
            }
            Environment.SetEnvironmentVariable("SVC_CONFIG_FILE", null);
        });

        all.Add("a server that was started before its match waits for it, however it is written, and no other waits", async () =>
        {
            var path = Path.Combine(scratch, "waiting.json");
            Environment.SetEnvironmentVariable("SVC_CONFIG_FILE", path);
            System.IO.File.WriteAllText(path, "");
            Checks.True(Checks.Throws<InvalidOperationException>(() => GameServer.Attach()).Message.Contains("AttachWhenMatched"), "it says what to do");
            var cancel = new CancellationTokenSource();
            var given = GameServer.AttachWhenMatched(null, cancel.Token);
            cancel.Cancel();
            Checks.True(await Task.WhenAny(given) == given && given.IsCanceled, "it need not wait for ever");
            var waiting = GameServer.AttachWhenMatched(new GameServerOptions { Transport = new FakeTransport(call => null) });
            var text = "{\"instance_id\":\"srv_1\",\"api_url\":\"http://localhost\",\"token\":\"a\",\"match_id\":\"mat_1\"}";
            for (var written = 0; written < text.Length; written += 20)
            {
                Checks.True(!waiting.IsCompleted, "it is not whole at " + written);
                System.IO.File.WriteAllText(path, text.Substring(0, written));
            }
            System.IO.File.WriteAllText(path, text);
            using (var server = await waiting) Checks.Same("mat_1", server.MatchId);
            using (var server = await GameServer.AttachWhenMatched(new GameServerOptions { Transport = new FakeTransport(call => null) })) Checks.Same("srv_1", server.InstanceId);
            Environment.SetEnvironmentVariable("SVC_CONFIG_FILE", null);
            using (var server = await GameServer.AttachWhenMatched(new GameServerOptions { Local = new JsonObject() })) Checks.True(server.IsLocal, "by itself it waits for nothing");
        });

        all.Add("a port is found by its name, and by no other", () =>
        {
            Environment.SetEnvironmentVariable("PORT_GAME_2", "4711");
            using (var server = GameServer.Attach(new GameServerOptions { Local = new JsonObject() }))
            {
                Checks.Same(4711, server.Port("game-2"));
                Checks.True(Checks.Throws<ArgumentException>(() => server.Port("chat")).Message.Contains("PORT_CHAT"), "it names the variable");
            }
        });
    }

    public static string Base64(byte[] bytes)
    {
        return Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_');
    }

    private static JoinRefusal Judge(string token, out Joiner joiner)
    {
        return new JoinTokens(File(), new Departures()).Judge(token, out joiner);
    }

    private static JsonObject File()
    {
        return new JsonObject { { "match_id", "mat_1" }, { "instance_id", "srv_1" }, { "join_token_key", Base64(Key) } };
    }

    private static string Claims(string match = "mat_1", string instance = "srv_1", int seconds = 300)
    {
        var now = (long)(DateTime.UtcNow - new DateTime(1970, 1, 1)).TotalSeconds;
        return "{\"sub\":\"ann\",\"aud\":\"" + match + "\",\"instance_id\":\"" + instance + "\",\"team\":\"team_1\",\"role\":\"tank\",\"iat\":" + (now - 10) + ",\"exp\":" + (now + seconds) + "}";
    }

    private static string Token(string claims, string header = Header, byte[] key = null)
    {
        var text = Base64(Encoding.UTF8.GetBytes(header)) + "." + Base64(Encoding.UTF8.GetBytes(claims));
        using (var hmac = new HMACSHA256(key ?? Key)) return text + "." + Base64(hmac.ComputeHash(Encoding.UTF8.GetBytes(text)));
    }
}
