using System;
using System.IO;
using System.Text;
using System.Threading.Tasks;

// Runs samples in C#. Each input line names a sample and its environment variables, separated by tabs. Each output line
// is `ok` or `failed`, and the printed text in base64.
static partial class Samples
{
    static void Main()
    {
        var output = Console.Out;
        string line;
        while ((line = Console.In.ReadLine()) != null)
        {
            var words = line.Split('\t');
            for (var at = 1; at < words.Length; at++)
            {
                var pair = words[at].Split(new[] { '=' }, 2);
                Environment.SetEnvironmentVariable(pair[0], pair[1]);
            }
            var printed = new StringWriter();
            Console.SetOut(printed);
            var word = "ok";
            try
            {
                ((Task)typeof(Samples).GetMethod(words[0]).Invoke(null, null)).GetAwaiter().GetResult();
            }
            catch (Exception error)
            {
                word = "failed";
                printed.Write(error);
            }
            output.WriteLine(word + " " + Convert.ToBase64String(Encoding.UTF8.GetBytes(printed.ToString())));
            output.Flush();
        }
    }
}
