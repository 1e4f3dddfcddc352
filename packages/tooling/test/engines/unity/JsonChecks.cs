using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Matchyard;

public static class JsonChecks
{
    public static void AddTo(List<KeyValuePair<string, Func<Task>>> all)
    {
        all.Add("objects keep the order of their names, and their types", () =>
        {
            var found = JsonText.ParseObject("{\"b\":1,\"a\":{\"x\":[true,null,\"\\u00e9\\ud83d\\ude00\"]},\"c\":1.5,\"d\":1e3}");
            Checks.Same("b,a,c,d", string.Join(",", found.Keys.ToArray()));
            Checks.Same(1L, found["b"]);
            Checks.Same("é😀", found.GetObject("a").GetArray("x")[2]);
            Checks.Same(1000L, found.GetLong("d"));
            Checks.Same(null, found.GetLong("c"));
            Checks.Same(null, found.GetString("b"));
            Checks.Same("{\"b\":1,\"a\":{\"x\":[true,null,\"é😀\"]},\"c\":1.5,\"d\":1000}", found.ToString());
            Checks.Throws<InvalidOperationException>(() => found["b"] = 2);
        });

        all.Add("what is written can be dictionaries, lists and numbers of any kind", () =>
        {
            var value = new JsonObject
            {
                { "list", new object[] { (byte)1, 2u, -3L, 4.5f, 0.1, 1.10m, 'c', false, null } },
                { "map", new Dictionary<string, int> { { "x", 1 } } },
                { "text", "\"\\\n\u2028\u007f" },
                { "empty", new List<string>() },
                { "none", new JsonObject() },
            };
            Checks.Same("{\"list\":[1,2,-3,4.5,0.1,1.10,\"c\",false,null],\"map\":{\"x\":1},\"text\":\"\\\"\\\\\\u000a\\u2028\\u007f\",\"empty\":[],\"none\":{}}", value.ToString());
        });

        all.Add("what JSON cannot say is refused, and not said otherwise", () =>
        {
            foreach (var wrong in new object[] { double.NaN, float.PositiveInfinity, "\ud800", "x\udc00", DateTime.UtcNow, new Dictionary<int, int> { { 1, 1 } } })
            {
                Checks.Throws<JsonFormatException>(() => JsonText.Write(wrong));
            }
            var loop = new List<object>();
            loop.Add(loop);
            Checks.Throws<JsonFormatException>(() => JsonText.Write(loop));
        });

        all.Add("whatever the culture of the machine, a number is a number", () =>
        {
            var before = System.Threading.Thread.CurrentThread.CurrentCulture;
            try
            {
                System.Threading.Thread.CurrentThread.CurrentCulture = new System.Globalization.CultureInfo("de-DE");
                Checks.Same("[1.5,-2,1E-07]", JsonText.Write(JsonText.Parse("[1.5,-2,1e-7]")));
            }
            finally
            {
                System.Threading.Thread.CurrentThread.CurrentCulture = before;
            }
        });

        all.Add("a million brackets are refused as quickly as sixty-five", () =>
        {
            Checks.Throws<JsonFormatException>(() => JsonText.Parse(new string('[', 1000000)));
            Checks.Throws<JsonFormatException>(() => JsonText.Parse(new string('[', 65) + new string(']', 65)));
            JsonText.Parse(new string('[', 64) + new string(']', 64));
        });
    }
}
