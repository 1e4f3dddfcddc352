using System.Collections.Generic;

namespace Matchyard
{
    /// <summary>Copies the data of a call when the call is made, so that all attempts send the same data.</summary>
    internal static class Copied
    {
        /// <summary>Returns a copy; null for null.</summary>
        public static JsonObject Of(IEnumerable<KeyValuePair<string, object>> entries)
        {
            if (entries == null) return null;
            var given = new JsonObject();
            foreach (var entry in entries) given[entry.Key] = entry.Value;
            return JsonText.ParseObject(JsonText.Write(given));
        }
    }
}
