using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Matchyard;

/// <summary>A service whose answers a check chooses. Delays end after 1 ms, and their requested length is recorded.</summary>
public sealed class FakeTransport : IHttpTransport
{
    private readonly Func<HttpCall, object> answers;

    /// <param name="answers">Returns a JSON text (status 200), a status and a text, an exception, or null for no answer.</param>
    public FakeTransport(Func<HttpCall, object> answers)
    {
        this.answers = answers;
    }

    public readonly List<HttpCall> Calls = new List<HttpCall>();
    public readonly List<double> Pauses = new List<double>();

    public static string Problem(string code, int number = 1, string more = "")
    {
        return "{\"code\":\"" + code + "\",\"number\":" + number + ",\"detail\":\"a sentence\",\"request_id\":\"req_1\"" + more + "}";
    }

    public static KeyValuePair<int, string> Status(int status, string body)
    {
        return new KeyValuePair<int, string>(status, body);
    }

    public static string HeaderOf(HttpCall call, string name)
    {
        return call.Headers.Where(header => header.Key == name).Select(header => header.Value).SingleOrDefault();
    }

    public async Task<HttpAnswer> Send(HttpCall call, CancellationToken cancellation)
    {
        // A network never answers synchronously.
        await Task.Yield();
        lock (Calls) Calls.Add(call);
        var answer = answers(call);
        if (answer == null) await Task.Delay(-1, cancellation);
        if (answer is Exception) throw (Exception)answer;
        var text = answer as string;
        var pair = text == null ? (KeyValuePair<int, string>)answer : Status(200, text);
        var retryAfter = pair.Key == 429 ? new[] { new KeyValuePair<string, string>("Retry-After", "3") } : new KeyValuePair<string, string>[0];
        return new HttpAnswer(pair.Key, retryAfter, Encoding.UTF8.GetBytes(pair.Value));
    }

    public async Task Delay(TimeSpan time, CancellationToken cancellation)
    {
        // 1 ms and not 0: a caller in a loop must let other tasks run.
        await Task.Delay(1, cancellation);
        lock (Pauses) Pauses.Add(time.TotalMilliseconds);
    }

    public void Dispose()
    {
    }

    public MatchyardClient Client(double drawn = 0.5)
    {
        return new MatchyardClient(new MatchyardOptions
        {
            BaseUrl = "http://service.test/below",
            ClientKey = "ck_live_x",
            Player = "ann",
            Transport = this,
            Retry = new RetryPolicy { Draw = () => drawn },
        });
    }
}
