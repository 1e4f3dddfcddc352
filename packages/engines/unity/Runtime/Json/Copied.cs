using System.Collections.Generic;

namespace Matchyard
{
    /// <summary>What is sent, as it was when the call was made: repeated attempts say the same whatever the game does meanwhile.</summary>
    internal static class Copied
    {
        /// <summary>Null for null.</summary>
        public static JsonObject Of(IEnumerable<KeyValuePair<string, object>> entries)
        {
            if (entries == null) return null;
            var given = new JsonObject();
            foreach (var entry in entries) given[entry.Key] = entry.Value;
            return JsonText.ParseObject(JsonText.Write(given));
        }
    }
}
